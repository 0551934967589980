#include "learned_number.h"

#include <algorithm>
#include <cmath>

namespace tally::detail {

using std::chrono::nanoseconds;

std::int64_t LearnedNumber::between(Instant now) const {
  const double passed =
      static_cast<double>((now - low_->since).count()) / static_cast<double>(recovery_.count());
  return low_->from + static_cast<std::int64_t>(static_cast<double>(low_->to - low_->from) * passed);
}

std::optional<std::int64_t> LearnedNumber::at(Instant now) const {
  if (!isLowered(now)) return full_;
  return between(now);
}

void LearnedNumber::lower(std::int64_t number, std::int64_t was, Instant now) {
  if (const auto present = at(now); present && number >= *present) return;
  const std::int64_t to = full_ ? *full_ : std::max(was, isLowered(now) ? low_->to : was);
  low_ = Low{.from = number, .to = to, .since = now};
}

std::optional<Instant> LearnedNumber::rises(Instant now) const {
  if (!isLowered(now)) return std::nullopt;
  // Not sooner, or whoever waits for it would hardly do anything else.
  constexpr nanoseconds soonest = std::chrono::milliseconds{1};
  const auto steps = static_cast<double>(low_->to - low_->from);
  const auto next = static_cast<double>(between(now) + 1 - low_->from);
  const nanoseconds until{
      static_cast<nanoseconds::rep>(std::ceil(static_cast<double>(recovery_.count()) * next / steps))};
  return std::clamp(low_->since + until, now + soonest, std::max(low_->since + recovery_, now + soonest));
}

}  // namespace tally::detail
