#include "faults/fault_latency.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tables/longest_duration.h"
#include "text/random.h"

namespace tally::fake::detail {

using std::chrono::nanoseconds;
using tally::detail::nextFraction;

namespace {

double asNumber(nanoseconds duration) {
  return static_cast<double>(duration.count());
}

/// A normally distributed number (Box-Muller).
double nextNormal(std::uint64_t& random) {
  const double radius = std::sqrt(-2 * std::log(1 - nextFraction(random)));
  return radius * std::cos(2 * std::numbers::pi * nextFraction(random));
}

/// The comparison comes before the conversion, which would overflow.
nanoseconds logNormal(const FaultRule& rule, std::uint64_t& random) {
  const nanoseconds most = rule.latencyUpTo == nanoseconds::zero() ? longestDuration : rule.latencyUpTo;
  const double drawn = asNumber(rule.latency) * std::exp(rule.latencySigma * nextNormal(random));
  return drawn < asNumber(most) ? nanoseconds{static_cast<nanoseconds::rep>(drawn)} : most;
}

nanoseconds uniform(const FaultRule& rule, std::uint64_t& random) {
  const double width = asNumber(rule.latencyUpTo - rule.latency);
  const nanoseconds added{static_cast<nanoseconds::rep>(width * nextFraction(random))};
  return std::min(rule.latency + added, rule.latencyUpTo);
}

}  // namespace

nanoseconds drawLatency(const FaultRule& rule, std::uint64_t& random) {
  if (rule.latencySigma > 0) return logNormal(rule, random);
  return rule.latencyUpTo > rule.latency ? uniform(rule, random) : rule.latency;
}

}  // namespace tally::fake::detail
