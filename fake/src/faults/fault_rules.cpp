#include "faults/fault_rules.h"

#include <algorithm>
#include <array>
#include <limits>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <tally/fake/request_pattern.h>
#include <tally/rate_limited_reason.h>

#include "errors.h"
#include "faults/fault_check.h"
#include "faults/fault_latency.h"
#include "print/value_line.h"
#include "tables/schema_types.h"
#include "text/random.h"
#include "text/suggestion.h"
#include "time/saturating.h"

namespace tally::fake {

std::string_view toString(Fault fault) noexcept {
  constexpr std::array<std::string_view, 8> names{"none",          "connection refused",    "reset",
                                                  "response lost", "truncated body",        "garbled body",
                                                  "empty page",    "error after processing"};
  const auto number = static_cast<std::size_t>(fault);
  return names[number < names.size() ? number : 0];
}

std::ostream& operator<<(std::ostream& out, Fault fault) {
  return out << toString(fault);
}

std::ostream& operator<<(std::ostream& out, const FaultRule& rule) {
  return out << detail::describe(rule);
}

std::ostream& operator<<(std::ostream& out, const InjectedFault& value) {
  tally::detail::ValueLine line{"InjectedFault"};
  line.add("id", value.id).add("rule", value.rule).add("hits", value.hits).add("from", value.from);
  if (value.until != Instant::max()) line.add("until", value.until);
  if (value.script != 0) line.add("script", value.script);
  return out << line;
}

}  // namespace tally::fake

namespace tally::fake::detail {

using std::chrono::nanoseconds;
using tally::detail::saturatingAdd;
using tally::detail::saturatingSince;

namespace {

constexpr std::uint64_t faultStream = 7;  // distinct from the streams of a service and of a server

std::string inQuotes(const std::string& text) {
  return "'" + text + "'";
}

std::string defaultReason() {
  return OpenEnum<RateLimitedReason>{RateLimitedReason::globalRate}.str();
}

bool matches(const fake::InjectedFault& fault, FaultTarget& target) {
  const FaultRule& rule = fault.rule;
  return (rule.operation.empty() || rule.operation == target.operation) &&
         (rule.object.empty() || rule.object == target.object) && target.arrived >= fault.from &&
         target.arrived < fault.until && target.parts.match(Part::param, rule.params) &&
         target.parts.match(Part::metadata, rule.metadata) &&
         target.parts.match(Part::header, rule.requestHeaders);
}

/// The probability of a rule for a request that arrives within its period.
double probabilityAt(const fake::InjectedFault& fault, Instant arrived) {
  const FaultRule& rule = fault.rule;
  if (!rule.probabilityAtEnd) return rule.probability;
  const auto since = [&](Instant time) {
    return static_cast<double>(saturatingSince(fault.from, time).count());
  };
  const double passed = since(arrived) / since(fault.until);
  return rule.probability + (*rule.probabilityAtEnd - rule.probability) * passed;
}

/// Whether it is the turn of the next request. A turn that chance denies is over; one that the request can't
/// use, because it does not get as far, goes to the next.
bool drawTurn(ArmedRule& armed, Instant arrived) {
  const FaultRule& rule = armed.fault.rule;
  if (armed.passed < rule.every) ++armed.passed;
  if (armed.passed < rule.every) return false;
  const double probability = probabilityAt(armed.fault, arrived);
  if (probability == 1 || tally::detail::nextFraction(armed.random) < probability) return true;
  armed.passed = 0;
  return false;
}

bool hasChance(const FaultRule& rule) {
  return rule.probability != 1 || rule.probabilityAtEnd;
}

bool hasPages(const AnyOperation& operation) {
  return operation.kind == OperationKind::list || operation.kind == OperationKind::search;
}

/// Faults that replace processing fire on arrival, and so do rules without a fault. Faults that can affect
/// any response fire after the operation; the others require that it succeeded.
Moment momentOf(const FaultRule& rule) {
  switch (rule.fault) {
    case fake::Fault::none:
    case fake::Fault::connectionRefused:
    case fake::Fault::reset:
      return Moment::arrival;
    case fake::Fault::responseLost:
    case fake::Fault::truncatedBody:
    case fake::Fault::garbledBody:
      return Moment::responded;
    case fake::Fault::emptyPage:
    case fake::Fault::errorAfterProcessing:
      break;
  }
  return Moment::processed;
}

std::string leftOf(const FaultRule& rule) {
  if (rule.times == FaultRule::unlimited) return " (any number of times)";
  return " (" + std::to_string(rule.times) + (rule.times == 1 ? " time left)" : " times left)");
}

}  // namespace

std::string happening(const FaultRule& rule) {
  if (!rule.error.empty()) return "error " + rule.error;
  if (rule.fault != fake::Fault::none) return std::string{toString(rule.fault)};
  if (rule.response) return "response " + std::to_string(rule.response->status);
  if (rule.latency != nanoseconds::zero() || rule.latencyUpTo != nanoseconds::zero()) return "latency";
  return rule.chunks > 1 ? "slow body" : "pass";
}

ArmedRule armRule(FaultRule rule, Instant now, std::uint64_t random) {
  ArmedRule armed{.fault = {.from = Instant::min()}, .random = random};
  const Instant start = saturatingAdd(now, rule.after);
  if (rule.after != nanoseconds::zero() || rule.probabilityAtEnd) armed.fault.from = start;
  if (rule.period) armed.fault.until = saturatingAdd(start, *rule.period);
  armed.fault.rule = std::move(rule);
  return armed;
}

FaultRules::FaultRules(std::span<const AnyOperation* const> operations,
                       std::span<const ErrorResponse* const> errors, std::uint64_t seed)
    : operations_(operations), errors_(errors), seeds_(seed, faultStream) {}

bool FaultRules::canHappen(fake::Fault fault, std::string_view operation) const {
  if (fault != fake::Fault::emptyPage) return true;
  const auto found = std::ranges::find(operations_, operation, &AnyOperation::name);
  return found != operations_.end() && hasPages(**found);
}

void FaultRules::checkOperation(const FaultRule& rule) const {
  if (rule.operation.empty()) return;
  const auto found = std::ranges::find(operations_, rule.operation, &AnyOperation::name);
  if (found == operations_.end())
    throw std::invalid_argument{
        "a fault rule names an unknown operation " + inQuotes(rule.operation) +
        tally::detail::suggestion(rule.operation, tally::detail::namesOf(operations_))};
  if (!rule.object.empty() && (*found)->path.find('{') == std::string_view::npos)
    throw std::invalid_argument{"the path of " + inQuotes(rule.operation) +
                                " has no object; leave out the object of the fault rule"};
  if (!canHappen(rule.fault, rule.operation))
    throw std::invalid_argument{inQuotes(rule.operation) + " returns no pages that could be empty"};
}

void FaultRules::checkError(FaultRule& rule) const {
  const ErrorResponse* response = rule.error.empty() ? nullptr : findError(errors_, rule.error);
  if (response == nullptr && !rule.error.empty())
    throw std::invalid_argument{"a fault rule names an unknown error " + inQuotes(rule.error) +
                                tally::detail::suggestion(rule.error, tally::detail::namesOf(errors_))};
  const bool limited = response != nullptr && response->rateLimitedReason;
  if (!limited && rule.rateLimitedReason)
    throw std::invalid_argument{"the fault " + inQuotes(happening(rule)) + " takes no rate-limited reason"};
  if (limited && !rule.rateLimitedReason) rule.rateLimitedReason = defaultReason();
}

std::uint64_t FaultRules::add(FaultRule rule, Instant now) {
  check(rule);
  return add(std::move(rule), now, {.random = nextSeed()});
}

std::uint64_t FaultRules::add(FaultRule rule, Instant now, const ScriptOrigin& origin) {
  check(rule);
  rules_.push_back(armRule(std::move(rule), now, origin.random));
  fake::InjectedFault& added = rules_.back().fault;
  added.id = ++lastId_;
  added.script = origin.script;
  if (added.script != 0) added.from = saturatingAdd(now, added.rule.after);
  return lastId_;
}

void FaultRules::resume(Armed armed) {
  check(armed.fault.rule);
  const std::uint64_t before = rules_.empty() ? 0 : rules_.back().fault.id;
  if (armed.fault.id <= before || armed.fault.id > lastId_)
    throw std::invalid_argument{"the id " + std::to_string(armed.fault.id) +
                                " of a fault rule must be at least " + std::to_string(before + 1) +
                                " and at most the last id assigned, " + std::to_string(lastId_)};
  if (armed.fault.rule.probabilityAtEnd && armed.fault.until == Instant::max())
    throw std::invalid_argument{"a fault rule whose probability changes must have an end"};
  rules_.push_back(std::move(armed));
}

void FaultRules::check(FaultRule& rule) const {
  checkRule(rule);
  checkOperation(rule);
  checkError(rule);
}

bool FaultRules::remove(std::uint64_t id) {
  return std::erase_if(rules_, [&](const Armed& armed) { return armed.fault.id == id; }) != 0;
}

void FaultRules::removeOf(std::uint64_t script) {
  std::erase_if(rules_, [&](const Armed& armed) { return armed.fault.script == script; });
}

std::vector<FaultRule> FaultRules::pending() const {
  std::vector<FaultRule> rules;
  for (const auto& [fault, passed, random] : rules_) {
    const bool isConsumed = fault.rule.times == FaultRule::unlimited && fault.hits != 0;
    if (fault.script == 0 && !isConsumed) rules.push_back(fault.rule);
  }
  return rules;
}

std::vector<fake::InjectedFault> FaultRules::all() const {
  std::vector<fake::InjectedFault> faults;
  faults.reserve(rules_.size());
  for (const Armed& armed : rules_)
    faults.push_back(armed.fault);
  return faults;
}

Refusal FaultRules::refusalOf(const FaultRule& rule, std::string_view object) const {
  const std::string reason = rule.rateLimitedReason.value_or("");
  return {.response = findError(errors_, rule.error),
          .value = std::string{object},
          .detail = reason.empty() ? "injected fault" : reason,
          .words = "object",
          .rateLimitedReason = reason};
}

/// Whether the rule applies to the request, at whichever moment. Draws once for each request.
bool FaultRules::applies(Armed& armed, FaultTarget& target) const {
  const fake::InjectedFault& fault = armed.fault;
  const FaultRule& rule = fault.rule;
  if (!matches(fault, target) || !canHappen(rule.fault, target.operation)) return false;
  if (rule.every == 1 && !hasChance(rule)) return true;
  const auto known = std::ranges::find(target.turns, fault.id, [](const auto& turn) { return turn.first; });
  if (known == target.turns.end()) {
    target.turns.emplace_back(fault.id, drawTurn(armed, target.arrived));
    return target.turns.back().second;
  }
  // Another request may have had the turn since then.
  return known->second && (rule.every == 1 || armed.passed >= rule.every);
}

FaultEffect FaultRules::effectOf(Armed& armed, std::string_view object) const {
  const FaultRule& rule = armed.fault.rule;
  FaultEffect effect{.rule = armed.fault.id,
                     .kind = rule.fault,
                     .headers = rule.headers,
                     .latency = drawLatency(rule, armed.random),
                     .chunks = rule.chunks,
                     .pause = rule.pause};
  if (!rule.error.empty()) effect.response = refusalOf(rule, object);
  if (rule.fault == fake::Fault::errorAfterProcessing)
    effect.response = Refusal{.response = &errors::apiError, .detail = "injected fault"};
  if (rule.response) effect.response = *rule.response;
  return effect;
}

FaultRules::Armed* FaultRules::firstFor(FaultTarget& target) {
  if (target.own != nullptr && target.own->fault.rule.times > 0 && applies(*target.own, target))
    return target.own;
  const auto found = std::ranges::find_if(rules_, [&](Armed& armed) { return applies(armed, target); });
  return found == rules_.end() ? nullptr : &*found;
}

std::optional<FaultEffect> FaultRules::take(FaultTarget& target, Moment moment) {
  Armed* const found = firstFor(target);
  if (found == nullptr || momentOf(found->fault.rule) != moment) return std::nullopt;
  FaultEffect effect = effectOf(*found, target.object);
  fake::InjectedFault& fault = found->fault;
  found->passed = 0;
  if (fault.hits < std::numeric_limits<int>::max()) ++fault.hits;
  if (fault.rule.times != FaultRule::unlimited) --fault.rule.times;
  if (fault.rule.times == 0 && found != target.own) (void)remove(fault.id);
  return effect;
}

std::string describe(const FaultRule& rule) {
  std::ostringstream text;
  text << patternOf(rule) << ": " << happening(rule) << leftOf(rule);
  return text.str();
}

}  // namespace tally::fake::detail
