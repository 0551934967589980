#include "limits/limit_counters.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace tally::fake::detail {

SlidingWindow* LimitCounters::ByObject::find(std::string_view id) {
  const auto found = windows_.find(id);
  return found == windows_.end() ? nullptr : &found->second;
}

SlidingWindow& LimitCounters::ByObject::make(std::string_view id, const Limit& limit, Instant now) {
  if (SlidingWindow* window = find(id)) return *window;
  if (windows_.size() >= sweepAt_) {
    for (auto entry = windows_.begin(); entry != windows_.end();)
      entry = entry->second.count(now) == 0 ? windows_.erase(entry) : std::next(entry);
    sweepAt_ = std::max<std::size_t>(sweepAt_, 2 * windows_.size());
  }
  return windows_.emplace(id, SlidingWindow{limit.window}).first->second;
}

LimitCounters::LimitCounters(const LimitPlan& plan) {
  counters_.reserve(plan.slots().size());
  for (const Slot& slot : plan.slots())
    counters_.push_back({.window = SlidingWindow{slot.limit->window}});
}

SlidingWindow* LimitCounters::windowOf(const Slot& slot, const Check& check, const Applicant& applicant) {
  Counter& counter = counters_[check.slot];
  if (slot.limit->scope != LimitScope::object) return &counter.window;
  return counter.objects.find(check.objectOf(applicant.id, applicant.params));
}

std::int64_t LimitCounters::used(const Slot& slot, const Check& check, const Applicant& applicant) {
  if (slot.limit->metric == LimitMetric::inProgress)
    return counters_[check.slot].inProgress.count(applicant.now);
  SlidingWindow* window = windowOf(slot, check, applicant);
  return window == nullptr ? 0 : window->count(applicant.now);
}

std::optional<std::size_t> LimitCounters::refusal(const LimitPlan& plan, const LimitNumbers& numbers,
                                                  const Applicant& applicant) {
  for (const Check& check : plan.checks(applicant.operation)) {
    const auto number = numbers[check.slot];
    const Slot& slot = plan.slots()[check.slot];
    if (!number || !applicant.asks(*slot.limit) || !check.covers(applicant.params)) continue;
    if (used(slot, check, applicant) >= *number) return check.slot;
  }
  return std::nullopt;
}

void LimitCounters::admit(const LimitPlan& plan, const Applicant& applicant) {
  for (const Check& check : plan.checks(applicant.operation)) {
    const Slot& slot = plan.slots()[check.slot];
    if (!applicant.asks(*slot.limit)) continue;
    if (slot.limit->metric == LimitMetric::inProgress) {
      counters_[check.slot].inProgress.hold();
    } else if (check.covers(applicant.params)) {
      SlidingWindow* window = windowOf(slot, check, applicant);
      if (window == nullptr)
        window = &counters_[check.slot].objects.make(check.objectOf(applicant.id, applicant.params),
                                                     *slot.limit, applicant.now);
      window->add(applicant.now);
    }
  }
}

void LimitCounters::finish(const LimitPlan& plan, const Applicant& applicant, bool changed, Instant end) {
  for (const Check& check : plan.checks(applicant.operation)) {
    const Slot& slot = plan.slots()[check.slot];
    if (!applicant.asks(*slot.limit)) continue;
    if (slot.limit->metric == LimitMetric::inProgress) {
      ConcurrencyCounter& inProgress = counters_[check.slot].inProgress;
      inProgress.release();
      if (end > applicant.now) inProgress.addUntil(end, applicant.now);
    } else if (slot.limit->metric == LimitMetric::changes && !changed && check.covers(applicant.params)) {
      if (SlidingWindow* window = windowOf(slot, check, applicant)) window->giveBack(applicant.now);
    }
  }
}

void LimitCounters::hold(const LimitPlan& plan, const AnyOperation* operation, std::int64_t places) {
  const auto counts = [&](std::size_t slot) {
    return plan.slots()[slot].limit->metric == LimitMetric::inProgress;
  };
  if (operation == nullptr) {
    for (std::size_t i = 0; i < counters_.size(); ++i)
      if (counts(i) && plan.slots()[i].limit->scope == LimitScope::account &&
          plan.slots()[i].limit->operations.empty())
        counters_[i].inProgress.hold(places);
    return;
  }
  for (const Check& check : plan.checks(*operation))
    if (counts(check.slot)) counters_[check.slot].inProgress.hold(places);
}

void LimitCounters::dropHeld() {
  for (Counter& counter : counters_)
    counter.inProgress.dropHeld();
}

std::size_t LimitCounters::objects() const noexcept {
  std::size_t sum = 0;
  for (const Counter& counter : counters_)
    sum += counter.objects.size();
  return sum;
}

namespace {

LimitUsage usageOf(const Slot& slot, std::optional<std::int64_t> number, std::int64_t used) {
  LimitUsage usage{.limit = std::string{slot.limit->name}, .used = used, .allowed = number};
  if (slot.operation != nullptr) usage.operation = slot.operation->name;
  if (number) usage.remaining = std::max<std::int64_t>(*number - used, 0);
  return usage;
}

}  // namespace

void LimitCounters::addUsage(const Slot& slot, std::optional<std::int64_t> number, SlidingWindow& window,
                             std::string_view object, Instant now, std::vector<LimitUsage>& usage) {
  LimitUsage line = usageOf(slot, number, window.count(now));
  line.freesAt = window.fallsBelow(line.used, now);
  if (number) line.availableAt = window.fallsBelow(*number, now);
  line.object = object;
  usage.push_back(std::move(line));
}

std::vector<LimitUsage> LimitCounters::usage(const LimitPlan& plan, const LimitNumbers& numbers,
                                             Instant now) {
  std::vector<LimitUsage> usage;
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    if (!plan.isUsed(i)) continue;
    const Slot& slot = plan.slots()[i];
    Counter& counter = counters_[i];
    if (slot.limit->metric == LimitMetric::inProgress) {
      LimitUsage line = usageOf(slot, numbers[i], counter.inProgress.count(now));
      if (numbers[i]) line.availableAt = counter.inProgress.fallsBelow(*numbers[i], now);
      line.freesAt = counter.inProgress.fallsBelow(line.used, now);
      if (numbers[i] || line.used != 0) usage.push_back(std::move(line));
    } else if (slot.limit->scope == LimitScope::object) {
      for (auto& [object, window] : counter.objects.all())
        if (window.count(now) != 0) addUsage(slot, numbers[i], window, object, now, usage);
    } else if (numbers[i] || counter.window.count(now) != 0) {
      addUsage(slot, numbers[i], counter.window, {}, now, usage);
    }
  }
  return usage;
}

}  // namespace tally::fake::detail
