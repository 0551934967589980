#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace tally::detail {

/// A duration as libcurl takes it: in whole milliseconds, and never 0, which would be no limit.
inline long milliseconds(std::chrono::nanoseconds duration) {
  const auto whole = std::chrono::ceil<std::chrono::milliseconds>(duration).count();
  return static_cast<long>(std::clamp<std::int64_t>(whole, 1, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace tally::detail
