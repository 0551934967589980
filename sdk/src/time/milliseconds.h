#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace tally::detail {

/// A duration for libcurl: whole milliseconds, rounded up; at least 1, since 0 means no limit, and at most
/// INT32_MAX (24.8 days).
template <class Rep, class Period>
[[nodiscard]] constexpr long milliseconds(std::chrono::duration<Rep, Period> duration) {
  constexpr long longest = std::numeric_limits<std::int32_t>::max();
  // Compares in floating point: converting to a finer unit could overflow.
  const double exact = std::chrono::duration<double, std::milli>{duration}.count();
  if (exact <= 1) return 1;
  if (exact >= static_cast<double>(longest)) return longest;
  return static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(duration).count());
}

}  // namespace tally::detail
