#pragma once

#include <string_view>

/// The parameters that select a page. Spec: "List operations" and "Search operations".
namespace tally::detail::cursor {

inline constexpr std::string_view startingAfter = "starting_after";
inline constexpr std::string_view endingBefore = "ending_before";
inline constexpr std::string_view page = "page";

}  // namespace tally::detail::cursor
