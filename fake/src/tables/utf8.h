#pragma once

#include <string>
#include <string_view>

namespace tally::fake::detail {

[[nodiscard]] bool isUtf8(std::string_view text);

/// `text` as it may stand in a message: no longer than a line, and UTF-8 whatever it was.
[[nodiscard]] std::string readable(std::string_view text);

}  // namespace tally::fake::detail
