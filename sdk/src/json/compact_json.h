#pragma once

#include <cstddef>
#include <string_view>

namespace tally::detail {

/// The end of the characters from `from` on that stand for themselves in a JSON string: all but quotes,
/// backslashes, control characters and invalid UTF-8.
[[nodiscard]] const char* endOfPlainText(const char* from, const char* end);

/// The length of the JSON value at the start of `json`, if a RawJsonWriter would write it in the same way. 0
/// if it would not, if it is not JSON, if it is nested more than `deepest` levels deep, or if it is written
/// as few are, such as a number with an exponent.
[[nodiscard]] std::size_t compactLength(std::string_view json, std::size_t deepest);

}  // namespace tally::detail
