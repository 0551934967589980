#include "faults/fault_check.h"

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "faults/longest_duration.h"

namespace tally::fake::detail {

using std::chrono::nanoseconds;

namespace {

constexpr int leastServerError = 500;
constexpr int mostChunks = 10'000;
constexpr double mostSigma = 10;

[[noreturn]] void refuse(const std::string& problem) {
  throw std::invalid_argument{problem};
}

void checkDuration(std::string_view what, nanoseconds duration) {
  if (duration < nanoseconds::zero())
    refuse("the " + std::string{what} + " of a fault rule can't be negative");
  if (duration > longestDuration)
    refuse("the " + std::string{what} + " of a fault rule can't exceed 100 years");
}

void checkTurns(const FaultRule& rule) {
  if (rule.times < 1) refuse("a fault rule must apply at least once");
  if (rule.every < 1) refuse("a fault rule must apply to every n-th request with an n of at least 1");
  // Negated, so that it refuses NaN.
  if (!(rule.probability > 0 && rule.probability <= 1))
    refuse("the probability of a fault rule must be greater than 0 and at most 1; for never, add no rule");
  checkDuration("delay", rule.after);
  if (!rule.period) return;
  checkDuration("period", *rule.period);
  if (*rule.period == nanoseconds::zero())
    refuse("the period of a fault rule must be longer than 0; leave it out for a rule without end");
}

void checkLatency(const FaultRule& rule) {
  checkDuration("latency", rule.latency);
  checkDuration("greatest latency", rule.latencyUpTo);
  if (rule.latencyUpTo != nanoseconds::zero() && rule.latencyUpTo < rule.latency)
    refuse("the greatest latency of a fault rule must be at least its latency, or 0 for none");
  if (!(rule.latencySigma >= 0 && rule.latencySigma <= mostSigma))
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
    refuse("the chunks of a fault rule must be from 1 to 10000");
  checkDuration("pause", rule.pause);
  if (rule.chunks == 1 && rule.pause != nanoseconds::zero())
    refuse("the pause of a fault rule is between chunks; set chunks to at least 2");
  if (rule.chunks > 1 && rule.pause > longestDuration / (rule.chunks - 1))
    refuse("the pauses of a fault rule can't exceed 100 years together");
  if (rule.chunks > 1 && !hasResponse(rule.fault))
    refuse("the fault '" + std::string{toString(rule.fault)} +
           "' leaves no response that could come in chunks");
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

/// A value can't be absent and present.
void checkPatterns(std::string_view what, const std::vector<NamedPattern>& patterns) {
  using Rule = TextPattern::Rule;
  for (const NamedPattern& pattern : patterns) {
    if (pattern.name.empty()) refuse("a fault rule matches a " + std::string{what} + " without a name");
    if (pattern.value.rule() != Rule::absent) continue;
    for (const NamedPattern& other : patterns)
      if (other.name == pattern.name && other.value.rule() != Rule::absent) {
        std::ostringstream problem;
        problem << "a fault rule wants the " << what << " both absent and as " << other << "; remove one";
        refuse(problem.str());
      }
  }
}

}  // namespace

void checkRule(const FaultRule& rule) {
  checkTurns(rule);
  checkLatency(rule);
  checkChunks(rule);
  checkFault(rule);
  checkPatterns("parameter", rule.params);
  checkPatterns("metadata key", rule.metadata);
  checkPatterns("header", rule.requestHeaders);
}

}  // namespace tally::fake::detail
