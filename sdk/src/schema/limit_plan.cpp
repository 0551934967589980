#include "schema/limit_plan.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "text/suggestion.h"

namespace tally::detail {

namespace {

bool holdsFor(const Limit& limit, const AnyOperation& operation) {
  return limit.operations.empty() ||
         std::ranges::find(limit.operations, operation.name) != limit.operations.end();
}

const Field* paramNamed(const Limit& limit, const AnyOperation& operation, std::string_view name) {
  if (name.empty()) return nullptr;
  if (const Field* field = operation.params == nullptr ? nullptr : operation.params->find(name)) return field;
  throw std::logic_error{"the limit " + std::string{limit.name} + " names a parameter " + std::string{name} +
                         " that " + std::string{operation.name} + " lacks"};
}

/// If several limits refuse a request, the response names the first by this rank.
int rank(RateLimitedReason reason) {
  switch (reason) {
    case RateLimitedReason::globalConcurrency:
      return 0;
    case RateLimitedReason::endpointConcurrency:
      return 1;
    case RateLimitedReason::globalRate:
      return 2;
    case RateLimitedReason::endpointRate:
      return 3;
    case RateLimitedReason::resourceSpecific:
      break;
  }
  return 4;
}

/// A rate limit that applies to each operation and names none.
bool isEndpointRate(const Limit& limit) {
  return limit.scope == LimitScope::operation && limit.operations.empty() &&
         limit.metric != LimitMetric::inProgress;
}

bool isFor(const Slot& slot, std::string_view operation) {
  return slot.operation != nullptr && slot.operation->name == operation;
}

bool replacesEndpointRate(const Limit& limit) {
  return !limit.operations.empty() && limit.metric != LimitMetric::inProgress && !limit.addsToEndpointRate;
}

std::set<std::string_view> limitNames(const std::vector<Slot>& slots) {
  std::set<std::string_view> names;
  for (const Slot& slot : slots)
    names.insert(slot.limit->name);
  return names;
}

}  // namespace

bool Check::covers(ConstObjectRef params) const {
  const auto gives = [&](const Field* field) { return params && params.given(*field); };
  return (given == nullptr || gives(given)) && (object == nullptr || gives(object)) &&
         std::ranges::none_of(notGiven, gives);
}

std::string_view Check::objectOf(std::string_view id, ConstObjectRef params) const {
  if (object == nullptr) return id;
  const ConstValueRef value = params ? params.value(*object) : ConstValueRef{};
  return value ? std::string_view{value.text()} : std::string_view{};
}

LimitPlan::LimitPlan(std::span<const AnyOperation* const> known, std::span<const Limit* const> limits) {
  for (const AnyOperation* operation : known)
    checks_[operation];
  for (const Limit* limit : limits) {
    if (limit->scope == LimitScope::operation) {
      for (const AnyOperation* operation : known) {
        if (!holdsFor(*limit, *operation)) continue;
        if (isEndpointRate(*limit)) endpointRates_[operation] = slots_.size();
        slots_.push_back({limit, operation});
        addCheck(slots_.size() - 1, *operation);
      }
    } else {
      slots_.push_back({limit, nullptr});
      addChecks(slots_.size() - 1, known);
      if (limit->scope == LimitScope::account && limit->operations.empty() && limit->onlyWithParam.empty())
        checksOfUnknown_.push_back({.slot = slots_.size() - 1});
    }
  }
  order();
  replaceEndpointRates();
  noteUsed();
}

void LimitPlan::addChecks(std::size_t slot, std::span<const AnyOperation* const> known) {
  const Limit& limit = *slots_[slot].limit;
  for (const AnyOperation* operation : known)
    if (holdsFor(limit, *operation)) addCheck(slot, *operation);
}

void LimitPlan::addCheck(std::size_t slot, const AnyOperation& operation) {
  const Limit& limit = *slots_[slot].limit;
  checks_[&operation].push_back({.slot = slot,
                                 .given = paramNamed(limit, operation, limit.onlyWithParam),
                                 .object = paramNamed(limit, operation, limit.object)});
}

void LimitPlan::order() {
  for (auto& [operation, checks] : checks_)
    std::ranges::sort(checks, {}, [&](const Check& check) {
      return std::pair{rank(slots_[check.slot].limit->reason), check.slot};
    });
}

/// A named limit replaces the general rate per operation, unless it says otherwise: for all requests of an
/// operation, or only for those with the limit's parameter.
void LimitPlan::replaceEndpointRates() {
  for (auto& [operation, checks] : checks_) {
    bool all = false;
    std::vector<const Field*> some;
    for (const Check& check : checks) {
      if (!replacesEndpointRate(*slots_[check.slot].limit)) continue;
      if (check.given == nullptr) all = true;
      if (check.given != nullptr) some.push_back(check.given);
    }
    const auto general = [&](const Check& check) { return isEndpointRate(*slots_[check.slot].limit); };
    if (all) std::erase_if(checks, general);
    for (Check& check : checks)
      if (general(check)) check.notGiven = some;
  }
}

void LimitPlan::noteUsed() {
  used_.resize(slots_.size());
  for (const auto& [operation, checks] : checks_)
    for (const Check& check : checks)
      used_[check.slot] = true;
}

const std::vector<Check>& LimitPlan::checks(const AnyOperation& operation) const {
  const auto found = checks_.find(&operation);
  return found == checks_.end() ? checksOfUnknown_ : found->second;
}

std::optional<std::size_t> LimitPlan::endpointRate(const AnyOperation& operation) const {
  const auto found = endpointRates_.find(&operation);
  return found == endpointRates_.end() ? std::nullopt : std::optional{found->second};
}

void LimitPlan::check(const LimitOverride& setting) const {
  if (setting.value && *setting.value < 0)
    throw std::invalid_argument{"the limit '" + setting.limit + "' must be at least 0"};
  const auto isNamed = [&](const Slot& slot) { return slot.limit->name == setting.limit; };
  if (std::ranges::none_of(slots_, isNamed))
    throw std::invalid_argument{"unknown limit '" + setting.limit + "'" +
                                suggestionOrList(setting.limit, limitNames(slots_))};
  if (setting.operation.empty()) return;
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (isNamed(slots_[i]) && isFor(slots_[i], setting.operation) && used_[i]) return;
  throw std::invalid_argument{"the limit '" + setting.limit + "' has no separate number for '" +
                              setting.operation + "'"};
}

LimitNumbers documentedNumbers(const LimitPlan& plan, bool livemode) {
  LimitNumbers numbers;
  numbers.reserve(plan.slots().size());
  for (const Slot& slot : plan.slots())
    numbers.push_back(livemode ? slot.limit->live : slot.limit->sandbox);
  return numbers;
}

void apply(const LimitPlan& plan, const LimitOverride& setting, bool livemode, LimitNumbers& numbers) {
  if (setting.livemode && *setting.livemode != livemode) return;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Slot& slot = plan.slots()[i];
    const bool meant = setting.operation.empty() || isFor(slot, setting.operation);
    if (slot.limit->name == setting.limit && meant) numbers[i] = setting.value;
  }
}

}  // namespace tally::detail
