#include "limits/limit_counters.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

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

LimitCounters::Counter* LimitCounters::find(std::size_t slot) {
  return counters_.empty() || counters_[slot].owners() == 0 ? nullptr : &counters_[slot].change();
}

LimitCounters::Counter& LimitCounters::make(const LimitPlan& plan, std::size_t slot) {
  if (Counter* counter = find(slot)) return *counter;
  if (counters_.empty()) counters_.resize(plan.slots().size());
  counters_[slot] = CopyOnWrite{Counter{.window = SlidingWindow{plan.slots()[slot].limit->window}}};
  return counters_[slot].change();
}

SlidingWindow* LimitCounters::windowOf(Counter& counter, const Slot& slot, const Check& check,
                                       const Applicant& applicant) {
  if (slot.limit->scope != LimitScope::object) return &counter.window;
  return counter.objects.find(check.objectOf(applicant.id, applicant.params));
}

std::string_view LimitCounters::objectOf(const Slot& slot, const Check& check, const Applicant& applicant) {
  if (slot.limit->scope != LimitScope::object) return {};
  return check.objectOf(applicant.id, applicant.params);
}

bool LimitCounters::concerns(const Slot& slot, const Check& check, const Applicant& applicant) {
  const bool isOnPath = slot.limit->scope == LimitScope::object && check.object == nullptr;
  return applicant.asks(*slot.limit) && !(isOnPath && applicant.id.empty());
}

std::int64_t LimitCounters::used(const Slot& slot, const Check& check, const Applicant& applicant) {
  Counter* counter = find(check.slot);
  if (counter == nullptr) return 0;
  if (slot.limit->metric == LimitMetric::inProgress) return counter->inProgress.count(applicant.now);
  SlidingWindow* window = windowOf(*counter, slot, check, applicant);
  return window == nullptr ? 0 : window->count(applicant.now);
}

std::optional<std::size_t> LimitCounters::refusal(const LimitPlan& plan, const LimitNumbers& numbers,
                                                  const Applicant& applicant) {
  for (const Check& check : plan.checks(applicant.operation)) {
    const auto number = numbers[check.slot];
    const Slot& slot = plan.slots()[check.slot];
    if (!number || !concerns(slot, check, applicant) || !check.covers(applicant.params)) continue;
    if (used(slot, check, applicant) >= *number) return check.slot;
  }
  return std::nullopt;
}

void LimitCounters::noteRefusal(const LimitPlan& plan, std::size_t slot, const Applicant& applicant) {
  const std::vector<Check>& checks = plan.checks(applicant.operation);
  const auto check = std::ranges::find(checks, slot, &Check::slot);
  make(plan, slot).history.noteRefusal(applicant.now, objectOf(plan.slots()[slot], *check, applicant));
}

void LimitCounters::admit(const LimitPlan& plan, const Applicant& applicant) {
  for (const Check& check : plan.checks(applicant.operation)) {
    const Slot& slot = plan.slots()[check.slot];
    if (!concerns(slot, check, applicant)) continue;
    if (slot.limit->metric == LimitMetric::inProgress) {
      Counter& counter = make(plan, check.slot);
      counter.inProgress.hold();
      counter.history.noteUse(applicant.now, counter.inProgress.count(applicant.now));
    } else if (check.covers(applicant.params)) {
      Counter& counter = make(plan, check.slot);
      const std::string_view object = objectOf(slot, check, applicant);
      SlidingWindow* window = windowOf(counter, slot, check, applicant);
      if (window == nullptr) window = &counter.objects.make(object, *slot.limit, applicant.now);
      window->add(applicant.now);
      // A change counts once it is made.
      if (slot.limit->metric != LimitMetric::changes)
        counter.history.noteUse(applicant.now, window->lastCount(), object);
    }
  }
}

void LimitCounters::finish(const LimitPlan& plan, const Applicant& applicant, bool changed, Instant end) {
  for (const Check& check : plan.checks(applicant.operation)) {
    const Slot& slot = plan.slots()[check.slot];
    if (!concerns(slot, check, applicant)) continue;
    if (slot.limit->metric == LimitMetric::inProgress) {
      ConcurrencyCounter& inProgress = make(plan, check.slot).inProgress;
      inProgress.release();
      if (end > applicant.now) inProgress.addUntil(end, applicant.now);
    } else if (slot.limit->metric == LimitMetric::changes && check.covers(applicant.params)) {
      Counter& counter = make(plan, check.slot);
      SlidingWindow* window = windowOf(counter, slot, check, applicant);
      if (window == nullptr) continue;
      if (changed)
        counter.history.noteUse(applicant.now, window->lastCount(), objectOf(slot, check, applicant));
      else
        window->giveBack(applicant.now);
    }
  }
}

std::vector<LimitCounters::Awaited> LimitCounters::awaitedBy(const LimitPlan& plan,
                                                             const Applicant& applicant) {
  std::vector<Awaited> changes;
  for (const Check& check : plan.checks(applicant.operation)) {
    const Slot& slot = plan.slots()[check.slot];
    if (slot.limit->metric == LimitMetric::changes && concerns(slot, check, applicant) &&
        check.covers(applicant.params))
      changes.push_back({check.slot, std::string{objectOf(slot, check, applicant)}, applicant.now});
  }
  return changes;
}

void LimitCounters::beginWait(const LimitPlan& plan, const Applicant& applicant) {
  for (Awaited& change : awaitedBy(plan, applicant))
    awaited_.insert(std::move(change));
}

void LimitCounters::endWait(const LimitPlan& plan, const Applicant& applicant) {
  if (awaited_.empty()) return;
  for (const Awaited& change : awaitedBy(plan, applicant))
    if (const auto found = awaited_.find(change); found != awaited_.end()) awaited_.erase(found);
}

void LimitCounters::holdIn(const LimitPlan& plan, std::size_t slot, std::int64_t units, Instant now) {
  Counter& counter = make(plan, slot);
  counter.inProgress.hold(units);
  if (units > 0) counter.history.noteUse(now, counter.inProgress.count(now));
}

void LimitCounters::hold(const LimitPlan& plan, const AnyOperation* operation, std::int64_t units,
                         Instant now) {
  const auto counts = [&](std::size_t slot) {
    return plan.slots()[slot].limit->metric == LimitMetric::inProgress;
  };
  if (operation == nullptr) {
    for (std::size_t i = 0; i < plan.slots().size(); ++i)
      if (counts(i) && plan.slots()[i].limit->scope == LimitScope::account &&
          plan.slots()[i].limit->operations.empty())
        holdIn(plan, i, units, now);
    return;
  }
  for (const Check& check : plan.checks(*operation))
    if (counts(check.slot)) holdIn(plan, check.slot, units, now);
}

void LimitCounters::dropHeld() {
  for (std::size_t slot = 0; slot < counters_.size(); ++slot)
    if (Counter* counter = find(slot)) counter->inProgress.dropHeld();
  for (const Awaited& change : awaited_)
    giveBack(change);
  awaited_.clear();
}

/// Only one of the two windows has counted.
void LimitCounters::giveBack(const Awaited& change) {
  Counter* counter = find(change.slot);
  if (counter == nullptr) return;
  SlidingWindow* ofObject = counter->objects.find(change.object);
  (ofObject == nullptr ? counter->window : *ofObject).giveBack(change.admitted);
}

std::size_t LimitCounters::objects() const noexcept {
  std::size_t sum = 0;
  for (const CopyOnWrite<Counter>& counter : counters_)
    sum += counter->objects.size();
  return sum;
}

std::vector<LimitCounters::CountedEvents> LimitCounters::events(Instant now) const {
  std::vector<CountedEvents> all;
  const auto append = [&](std::size_t slot, std::string_view object, const SlidingWindow& window) {
    CountedEvents events{.slot = slot, .object = object, .runs = window.runs(now)};
    if (!events.runs.empty()) all.push_back(std::move(events));
  };
  for (std::size_t slot = 0; slot < counters_.size(); ++slot) {
    append(slot, {}, counters_[slot]->window);
    for (const auto& [object, window] : counters_[slot]->objects.all())
      append(slot, object, window);
  }
  std::ranges::sort(all, {},
                    [](const CountedEvents& events) { return std::pair{events.slot, events.object}; });
  return all;
}

void LimitCounters::add(const LimitPlan& plan, const CountedEvents& events) {
  const Limit& limit = *plan.slots()[events.slot].limit;
  Counter& counter = make(plan, events.slot);
  for (const auto& [time, count] : events.runs) {
    const bool each = limit.scope == LimitScope::object;
    (each ? counter.objects.make(events.object, limit, time) : counter.window).add(time, count);
  }
}

namespace {

LimitUsage usageOf(const Slot& slot, std::optional<std::int64_t> number, std::int64_t used) {
  LimitUsage usage{.limit = std::string{slot.limit->name}, .used = used, .allowed = number};
  if (slot.operation != nullptr) usage.operation = slot.operation->name;
  if (number) usage.remaining = std::max<std::int64_t>(*number - used, 0);
  return usage;
}

}  // namespace

void LimitCounters::addUsage(const Slot& slot, std::optional<std::int64_t> number,
                             const SlidingWindow& window, std::string_view object, Instant now,
                             std::vector<LimitUsage>& usage) {
  LimitUsage line = usageOf(slot, number, window.countAt(now));
  line.freesAt = window.fallsBelow(line.used, now);
  if (number) line.availableAt = window.fallsBelow(*number, now);
  line.object = object;
  usage.push_back(std::move(line));
}

std::vector<LimitUsage> LimitCounters::usage(const LimitPlan& plan, const LimitNumbers& numbers,
                                             Instant now) const {
  const Counter unused{};
  std::vector<LimitUsage> usage;
  for (std::size_t i = 0; i < plan.slots().size(); ++i) {
    if (!plan.isUsed(i)) continue;
    const Slot& slot = plan.slots()[i];
    const Counter& counter = counters_.empty() ? unused : *counters_[i];
    if (slot.limit->metric == LimitMetric::inProgress) {
      LimitUsage line = usageOf(slot, numbers[i], counter.inProgress.countAt(now));
      if (numbers[i]) line.availableAt = counter.inProgress.fallsBelow(*numbers[i], now);
      line.freesAt = counter.inProgress.fallsBelow(line.used, now);
      if (numbers[i] || line.used != 0) usage.push_back(std::move(line));
    } else if (slot.limit->scope == LimitScope::object) {
      const auto first = static_cast<std::ptrdiff_t>(usage.size());
      for (const auto& [object, window] : counter.objects.all())
        if (window.countAt(now) != 0) addUsage(slot, numbers[i], window, object, now, usage);
      std::ranges::sort(usage.begin() + first, usage.end(), {}, &LimitUsage::object);
    } else if (numbers[i] || counter.window.countAt(now) != 0) {
      addUsage(slot, numbers[i], counter.window, {}, now, usage);
    }
  }
  return usage;
}

std::vector<LimitHistory> LimitCounters::history(const LimitPlan& plan, const LimitNumbers& numbers,
                                                 Instant now) const {
  std::vector<LimitHistory> histories;
  for (std::size_t slot = 0; slot < counters_.size(); ++slot) {
    const UseHistory& noted = counters_[slot]->history;
    if (noted.isEmpty(now)) continue;
    const Slot& of = plan.slots()[slot];
    LimitHistory history{.limit = std::string{of.limit->name}, .allowed = numbers[slot]};
    if (of.operation != nullptr) history.operation = of.operation->name;
    noted.addTo(history, now);
    if (history.highestAt || history.refusals != 0) histories.push_back(std::move(history));
  }
  return histories;
}

const UseHistory* LimitCounters::historyOf(std::size_t slot) const {
  return counters_.empty() || counters_[slot].owners() == 0 ? nullptr : &counters_[slot]->history;
}

}  // namespace tally::fake::detail
