#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>

#include <tally/clock.h>

// Arithmetic on instants and durations that saturates where the plain operators overflow. Users may pass
// durations as large as their types allow.

namespace tally::detail {

template <class Rep, class Period>
[[nodiscard]] constexpr std::chrono::nanoseconds saturatingNanoseconds(
    std::chrono::duration<Rep, Period> duration) {
  using std::chrono::duration_cast;
  using std::chrono::nanoseconds;
  using Given = std::chrono::duration<Rep, Period>;
  if (duration > duration_cast<Given>(nanoseconds::max())) return nanoseconds::max();
  if (duration < duration_cast<Given>(nanoseconds::min())) return nanoseconds::min();
  return nanoseconds{duration};
}

/// Rounded up. Not a number becomes zero.
[[nodiscard]] inline std::chrono::nanoseconds saturatingNanoseconds(std::chrono::duration<double> duration) {
  using std::chrono::nanoseconds;
  constexpr double beyond = 9'223'372'036.854'775'807;  // rounded to a number that no longer fits
  if (duration.count() >= beyond) return nanoseconds::max();
  if (duration.count() <= -beyond) return nanoseconds::min();
  if (std::isnan(duration.count())) return nanoseconds::zero();
  return std::chrono::ceil<nanoseconds>(duration);
}

[[nodiscard]] constexpr std::chrono::nanoseconds saturatingAdd(std::chrono::nanoseconds a,
                                                               std::chrono::nanoseconds b) noexcept {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a.count(), b.count(), &sum)) return std::chrono::nanoseconds{sum};
  return b < b.zero() ? std::chrono::nanoseconds::min() : std::chrono::nanoseconds::max();
}

[[nodiscard]] constexpr Instant saturatingAdd(Instant time, std::chrono::nanoseconds duration) noexcept {
  return Instant{saturatingAdd(time.time_since_epoch(), duration)};
}

/// The time passed from `earlier` to `time`; negative if `time` is before `earlier`.
[[nodiscard]] constexpr std::chrono::nanoseconds saturatingSince(Instant earlier, Instant time) noexcept {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(time.time_since_epoch().count(), earlier.time_since_epoch().count(),
                              &difference))
    return std::chrono::nanoseconds{difference};
  return time < earlier ? std::chrono::nanoseconds::min() : std::chrono::nanoseconds::max();
}

}  // namespace tally::detail
