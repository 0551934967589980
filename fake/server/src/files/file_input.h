#pragma once

#include <cstddef>
#include <string>

namespace tally::fake::detail {

/// More than any hand-written file needs.
constexpr std::size_t largestInput = std::size_t{64} * 1'024 * 1'024;

/// The contents of a file, without a byte order mark. Throws std::runtime_error with the name and the reason
/// if the file can't be read or is larger than `largestInput`.
[[nodiscard]] std::string contentsOf(const std::string& file);

}  // namespace tally::fake::detail
