// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <cstdint>

// The constants that lists and searches share.

namespace tally::fake::detail {

inline constexpr std::int64_t minimumLimit = 1;
inline constexpr std::int64_t maximumLimit = 100;
inline constexpr std::int64_t defaultLimit = 10;
inline constexpr std::int64_t totalCountCap = 10000;

}  // namespace tally::fake::detail
