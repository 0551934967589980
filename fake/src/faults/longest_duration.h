#pragma once

#include <chrono>

namespace tally::fake::detail {

/// What may be added to an instant of our time without leaving the range of the clock.
inline constexpr std::chrono::nanoseconds longestDuration = std::chrono::years{100};

}  // namespace tally::fake::detail
