#pragma once

#include <chrono>

namespace tally::fake::detail {

/// The longest duration that can be added to a realistic time without overflowing Instant.
inline constexpr std::chrono::nanoseconds longestDuration = std::chrono::years{100};

}  // namespace tally::fake::detail
