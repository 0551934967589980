#pragma once

#include <cstddef>
#include <string_view>

namespace tally::detail {

/// The length of the UTF-8 sequence at the start of `text`, which is not empty; 0 if it is invalid.
[[nodiscard]] std::size_t utf8SequenceLength(std::string_view text);

[[nodiscard]] bool isUtf8(std::string_view text);

}  // namespace tally::detail
