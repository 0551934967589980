#include "pacing/adaptive_limit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tally::detail {

using std::chrono::nanoseconds;

/// A number that should be whole must not be slightly less, or the limit would rise only after rises(). x87
/// units compute with more digits than a double has, so that 24 * (1 / 24.0) is less than 1.
std::int64_t AdaptiveLimit::risenTo(Instant now) const {
  constexpr double roundedUp = 1 + 4 * std::numeric_limits<double>::epsilon();
  const double passed =
      static_cast<double>((now - low_->since).count()) / static_cast<double>(recovery_.count());
  const double risen = static_cast<double>(low_->to - low_->from) * passed * roundedUp;
  return low_->from + static_cast<std::int64_t>(risen);
}

std::optional<std::int64_t> AdaptiveLimit::at(Instant now) const {
  if (!isLowered(now)) return full_;
  return risenTo(now);
}

void AdaptiveLimit::lower(std::int64_t number, std::int64_t was, Instant now) {
  if (const auto present = at(now); present && number >= *present) return;
  const std::int64_t to = full_ ? *full_ : std::max(was, isLowered(now) ? low_->to : was);
  low_ = Low{.from = number, .to = to, .since = now};
}

std::optional<Instant> AdaptiveLimit::rises(Instant now) const {
  if (!isLowered(now)) return std::nullopt;
  // At least 1 ms ahead, or a waiter would do little but wake up.
  const Instant soonest = saturatingAdd(now, std::chrono::milliseconds{1});
  const Instant end = std::max(saturatingAdd(low_->since, recovery_), soonest);
  const std::int64_t steps = low_->to - low_->from;
  const std::int64_t next = risenTo(now) + 1 - low_->from;
  if (next >= steps) return end;  // also if `steps` is 0
  const double part = static_cast<double>(next) / static_cast<double>(steps);
  const nanoseconds until{
      static_cast<nanoseconds::rep>(std::ceil(static_cast<double>(recovery_.count()) * part))};
  return std::clamp(saturatingAdd(low_->since, until), soonest, end);
}

}  // namespace tally::detail
