#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace tally::detail {

/// A duration as libcurl takes it: in whole milliseconds, rounded up, never 0, which would be no limit, and
/// never more than 24 days.
template <class Rep, class Period>
[[nodiscard]] constexpr long milliseconds(std::chrono::duration<Rep, Period> duration) {
  constexpr long longest = std::numeric_limits<std::int32_t>::max();
  // What is compared is a floating-point number: a conversion to a finer unit could overflow.
  const double exact = std::chrono::duration<double, std::milli>{duration}.count();
  if (exact <= 1) return 1;
  if (exact >= static_cast<double>(longest)) return longest;
  return static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(duration).count());
}

}  // namespace tally::detail
