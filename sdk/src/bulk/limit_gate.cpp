#include "bulk/limit_gate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "time/saturating.h"

namespace tally::detail {

namespace {

using Seconds = std::chrono::duration<double>;

double secondsSince(Instant since, Instant now) {
  return Seconds{saturatingSince(since, now)}.count();
}

std::chrono::nanoseconds atRate(double perSecond) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Seconds{1 / perSecond});
}

}  // namespace

/// Searching, it doubles each second. Otherwise, what a refusal takes is regained in 5 to 6 seconds.
double LimitGate::Rate::at(Instant now) const {
  constexpr double most = 1e6;
  const double growth = searching ? 2 : 1.03;
  return rises ? std::min(lowered * std::pow(growth, secondsSince(*rises, now)), most) : lowered;
}

std::size_t LimitGate::most(Instant now) const {
  if (!most_) return std::numeric_limits<std::size_t>::max();
  return most_->lowered + static_cast<std::size_t>(secondsSince(most_->since, now));
}

Instant LimitGate::opens(Instant now) const {
  if (begun_ < most(now)) return std::max(next_, now);
  const std::size_t missing = begun_ + 1 - most_->lowered;
  return std::max(next_, saturatingAdd(most_->since, std::chrono::seconds{missing}));
}

/// A thread that wakes up late makes up for it, within limits.
void LimitGate::begin(Instant now) {
  ++begun_;
  constexpr std::chrono::milliseconds longestDelay{100};
  if (rate_)
    next_ = saturatingAdd(std::max(next_, saturatingAdd(now, -longestDelay)), atRate(rate_->at(now)));
}

void LimitGate::pass(Instant now) {
  latest_ = std::max(latest_, now);
  passed_.add(latest_);
  passedSinceNarrowed_ = true;
  if (rate_ && !rate_->rises) rate_->rises = latest_;
  blockedSince_.reset();
}

/// A call that began before the gate was narrowed can't tell whether that was enough. Concurrency is counted
/// nevertheless: of the calls that were in progress together, those that remain fit.
void LimitGate::refuse(const Refusal& refusal, Instant now) {
  latest_ = std::max(latest_, now);
  if (!blockedSince_) blockedSince_ = latest_;
  if (refusal.concurrency) most_ = Most{.lowered = std::max<std::size_t>(begun_, 1), .since = latest_};
  if (refusal.begun > narrowed_) {
    if (!refusal.concurrency || !passedSinceNarrowed_) lowerRate(refusal, latest_);
    narrowed_ = latest_;
    passedSinceNarrowed_ = false;
  }
  if (refusal.retryAfter > std::chrono::nanoseconds{0})
    next_ = std::max(next_, saturatingAdd(latest_, refusal.retryAfter));
}

/// Starts from what has passed in the last second, and waits until less of it counts. If nothing has passed
/// since the last refusal, the limit is used up by others or has a longer window: as with exponential
/// backoff, the pause then doubles.
void LimitGate::lowerRate(const Refusal& refusal, Instant now) {
  const std::int64_t passed = passed_.count(now);
  const auto count = static_cast<double>(passed);
  const double used = rate_ ? std::min(rate_->at(now), count + 1) : std::max(count, 1.0);
  const double least = std::max(1 / Seconds{backoff_.cap}.count(), 1e-6);
  const double lowered = std::max(used * (passedSinceNarrowed_ ? 0.85 : 0.5), least);
  rate_ = Rate{.lowered = lowered, .searching = !rate_ || !passedSinceNarrowed_};
  const auto pause = atRate(lowered / (0.75 + refusal.jitter / 2));
  const auto frees = passedSinceNarrowed_ ? passed_.fallsBelow(passed, now) : std::nullopt;
  next_ = std::max(next_, frees.value_or(saturatingAdd(now, pause)));
}

}  // namespace tally::detail
