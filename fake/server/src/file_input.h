#pragma once

#include <cstddef>
#include <string>

namespace tally::fake::detail {

/// No file that somebody wrote is larger.
constexpr std::size_t largestInput = 64 * 1'024 * 1'024;

/// All that is in a file. Throws std::runtime_error, which names the file and says why, for one that can't be
/// read or is larger than `largestInput`.
[[nodiscard]] std::string contentsOf(const std::string& file);

}  // namespace tally::fake::detail
