#include "faults/fault_check.h"

#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "form/param_name.h"
#include "form/validation.h"
#include "tables/longest_duration.h"
#include "tables/utf8.h"
#include "text/ascii.h"
#include "text/bodiless.h"

namespace tally::fake::detail {

using std::chrono::nanoseconds;

namespace {

constexpr int leastStatus = 200;
constexpr int mostStatus = 599;
constexpr int leastServerError = 500;
constexpr int mostChunks = 10'000;
constexpr double mostSigma = 10;

[[noreturn]] void refuse(const std::string& problem) {
  throw std::invalid_argument{problem};
}

/// Not for NaN.
bool isWithin(double number, double most) {
  return number >= 0 && number <= most;
}

void checkDuration(std::string_view what, nanoseconds duration) {
  if (duration < nanoseconds::zero())
    refuse("the " + std::string{what} + " of a fault rule can't be negative");
  if (duration > longestDuration)
    refuse("the " + std::string{what} + " of a fault rule can't exceed 100 years");
}

void checkProbability(const FaultRule& rule) {
  if (!isWithin(rule.probability, 1) || (rule.probability == 0 && rule.probabilityAtEnd.value_or(0) == 0))
    refuse(
        "the probability of a fault rule must be greater than 0 and at most 1; to disable the fault, omit "
        "the rule");
  if (!rule.probabilityAtEnd) return;
  if (!isWithin(*rule.probabilityAtEnd, 1))
    refuse("the probability at the end of a fault rule must be from 0 to 1");
  if (!rule.period) refuse("a fault rule whose probability changes needs a period for the change");
}

void checkTurns(const FaultRule& rule) {
  if (rule.times < 1) refuse("a fault rule must apply at least once");
  if (rule.every < 1) refuse("the n of a fault rule that applies to every n-th request must be at least 1");
  checkProbability(rule);
  checkDuration("delay", rule.after);
  if (!rule.period) return;
  checkDuration("period", *rule.period);
  if (*rule.period == nanoseconds::zero())
    refuse("the period of a fault rule must be longer than 0; leave it out for a rule without an end");
}

void checkLatency(const FaultRule& rule) {
  checkDuration("latency", rule.latency);
  checkDuration("greatest latency", rule.latencyUpTo);
  if (rule.latencyUpTo != nanoseconds::zero() && rule.latencyUpTo < rule.latency)
    refuse("the greatest latency of a fault rule must be at least its latency, or 0 for none");
  if (!isWithin(rule.latencySigma, mostSigma))
    refuse("the sigma of a fault rule's latency must be from 0 to 10");
  if (rule.latencySigma > 0 && rule.latency == nanoseconds::zero())
    refuse("a fault rule with a sigma needs a latency greater than 0, which is the median");
}

bool hasResponse(fake::Fault fault) {
  return fault != fake::Fault::connectionRefused && fault != fake::Fault::reset &&
         fault != fake::Fault::responseLost;
}

void checkChunks(const FaultRule& rule) {
  if (rule.chunks < 1 || rule.chunks > mostChunks)
    refuse("the number of chunks of a fault rule must be from 1 to 10000");
  checkDuration("pause", rule.pause);
  if (rule.chunks == 1 && rule.pause != nanoseconds::zero())
    refuse("the pause of a fault rule is between chunks; set chunks to at least 2");
  if (rule.chunks > 1 && rule.pause > longestDuration / (rule.chunks - 1))
    refuse("the pauses of a fault rule can't exceed 100 years in total");
  if (rule.chunks > 1 && !hasResponse(rule.fault))
    refuse("the fault '" + std::string{toString(rule.fault)} +
           "' produces no response that could come in chunks");
}

void checkHeaderName(const std::string& name) {
  if (!tally::detail::isHeaderName(name))
    refuse("'" + readable(name) + "' in a fault rule is not a valid header name");
}

void checkHeaderValue(std::string_view what, std::string_view value) {
  if (!tally::detail::isHeaderText(value))
    refuse("the " + std::string{what} + " of a fault rule has a line break or another control character");
}

void checkHeaders(const std::vector<Header>& headers) {
  for (const Header& header : headers) {
    checkHeaderName(header.name);
    checkHeaderValue("header '" + header.name + "'", header.value);
  }
}

/// What the rule sends has to fit into a response.
void checkResponse(const FaultRule& rule) {
  checkHeaders(rule.headers);
  if (!rule.headers.empty() && !hasResponse(rule.fault))
    refuse("the fault '" + std::string{toString(rule.fault)} +
           "' produces no response that could have headers");
  if (rule.rateLimitedReason) {
    checkHeaderValue("rate-limited reason", *rule.rateLimitedReason);
    if (!isUtf8(*rule.rateLimitedReason)) refuse("the rate-limited reason of a fault rule is not UTF-8");
  }
  if (!rule.response) return;
  const HttpResponse& response = *rule.response;
  if (response.status < leastStatus || response.status > mostStatus)
    refuse("the status of a fault rule's response must be from 200 to 599, not " +
           std::to_string(response.status));
  checkHeaders(response.headers);
  if (!response.body.empty() && tally::detail::forbidsBody(response.status))
    refuse("the response of a fault rule can't have a body with the status " +
           std::to_string(response.status));
}

/// The object of a rule that can never apply matches no request.
void checkObject(const FaultRule& rule) {
  if (!isUtf8(rule.object)) refuse("the object of a fault rule is not UTF-8, so no request can name it");
  if (!rule.object.empty() && rule.fault == fake::Fault::emptyPage)
    refuse("the path of a list or a search has no object; leave out the object of the fault rule");
}

/// Allows one of a fault, an error and a response; but a rule may choose the server error for
/// errorAfterProcessing.
void checkFault(const FaultRule& rule) {
  const bool late = rule.fault == fake::Fault::errorAfterProcessing && rule.response;
  if (late && rule.response->status < leastServerError)
    refuse("the status of an error after processing must be at least 500");
  const int responses = (rule.fault != fake::Fault::none ? 1 : 0) + (rule.error.empty() ? 0 : 1) +
                        (rule.response && !late ? 1 : 0);
  if (responses > 1) refuse("a fault rule can have only one of fault, error and response");
}

bool sameName(const NamedPattern& one, const NamedPattern& other) {
  return one.name == other.name;
}

bool sameHeader(const NamedPattern& one, const NamedPattern& other) {
  return tally::detail::equalIgnoringCase(one.name, other.name);
}

/// A value can't be absent and present.
template <class Same>
void checkPatterns(std::string_view what, const std::vector<NamedPattern>& patterns, const Same& areSame) {
  using Rule = TextPattern::Rule;
  for (const NamedPattern& pattern : patterns) {
    if (pattern.name.empty()) refuse("a fault rule matches a " + std::string{what} + " without a name");
    if (pattern.value.rule() != Rule::absent) continue;
    for (const NamedPattern& other : patterns)
      if (areSame(other, pattern) && other.value.rule() != Rule::absent) {
        std::ostringstream problem;
        problem << "a fault rule requires the " << what << " to be absent, but also requires " << other
                << "; remove one";
        refuse(problem.str());
      }
  }
}

/// Requests carry metadata as parameters.
void checkParams(const FaultRule& rule) {
  checkPatterns("parameter", rule.params, sameName);
  checkPatterns("metadata key", rule.metadata, sameName);
  std::vector<NamedPattern> all = rule.params;
  for (const NamedPattern& each : rule.metadata)
    all.push_back({tally::detail::paramName("metadata", each.name), each.value});
  checkPatterns("parameter", all, sameName);
}

void checkRequestHeaders(const FaultRule& rule) {
  checkPatterns("header", rule.requestHeaders, sameHeader);
  for (const NamedPattern& each : rule.requestHeaders) {
    checkHeaderName(each.name);
    checkHeaderValue("pattern for the header '" + each.name + "'", each.value.text());
  }
}

}  // namespace

void checkRule(const FaultRule& rule) {
  checkTurns(rule);
  checkLatency(rule);
  checkChunks(rule);
  checkFault(rule);
  checkResponse(rule);
  checkObject(rule);
  checkParams(rule);
  checkRequestHeaders(rule);
}

}  // namespace tally::fake::detail
