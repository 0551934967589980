#include "faults/requested_faults.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>

#include "text/random.h"

namespace tally::fake::detail {

namespace {

/// Whether what a rule does depends on what it has done.
bool isCounted(const FaultRule& rule) {
  return rule.times != FaultRule::unlimited || rule.every != 1 || rule.probability != 1 || rule.period ||
         rule.latencyUpTo > rule.latency || rule.latencySigma > 0;
}

}  // namespace

const RequestedFaults::Count* RequestedFaults::find(std::uint64_t request) const {
  const auto found = std::ranges::find(counts_, request, &Count::request);
  return found == counts_.end() ? nullptr : &*found;
}

ArmedRule RequestedFaults::arm(std::uint64_t request, const FaultRule& rule, Instant now) const {
  std::uint64_t random = seed_ ^ request;
  const Count first{.random = tally::detail::nextRandom(random), .since = now};
  const Count* const known = isCounted(rule) ? find(request) : nullptr;
  const Count& count = known == nullptr ? first : *known;
  ArmedRule made = armRule(rule, count.since, count.random);
  made.passed = count.passed;
  made.fault.hits = count.hits;
  if (rule.times != FaultRule::unlimited) made.fault.rule.times = std::max(rule.times - count.hits, 0);
  return made;
}

void RequestedFaults::keep(std::uint64_t request, const ArmedRule& armed, Instant arrived) {
  const fake::InjectedFault& fault = armed.fault;
  if (!isCounted(fault.rule)) return;
  const auto found = std::ranges::find(counts_, request, &Count::request);
  Count count{.request = request,
              .hits = fault.hits,
              .passed = armed.passed,
              .random = armed.random,
              .since = found == counts_.end() ? arrived : found->since};
  if (found != counts_.end()) {
    *found = count;
    return;
  }
  if (counts_.size() == mostCounts) counts_.pop_front();
  counts_.push_back(count);
}

void RequestedFaults::resume(const Count& count) {
  if (counts_.size() == mostCounts)
    throw std::invalid_argument{"expected at most " + std::to_string(mostCounts)};
  counts_.push_back(count);
}

}  // namespace tally::fake::detail
