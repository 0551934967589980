#pragma once

#include <cstddef>
#include <string_view>

namespace tally::detail {

/// How long the UTF-8 sequence is that `text`, which is not empty, begins with; 0 where it begins with none.
[[nodiscard]] std::size_t utf8SequenceLength(std::string_view text);

}  // namespace tally::detail
