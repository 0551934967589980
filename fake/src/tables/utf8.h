#pragma once

#include <string>
#include <string_view>

#include "text/utf8_sequence.h"

namespace tally::fake::detail {

using tally::detail::isUtf8;

/// Ignores the case of ASCII letters.
[[nodiscard]] bool containsIgnoringCase(std::string_view text, std::string_view part);

/// `text` as it is if it is UTF-8; otherwise, the replacement character stands for each invalid byte.
[[nodiscard]] std::string asUtf8(std::string_view text);

/// `text` made safe for a message: truncated to about 200 bytes, with invalid UTF-8 replaced by `?`.
[[nodiscard]] std::string readable(std::string_view text);

}  // namespace tally::fake::detail
