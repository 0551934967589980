#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tally::fake::detail {

/// What `text` stands for in base 64, padded or not; nothing where it is no base 64.
[[nodiscard]] std::optional<std::string> decodeBase64(std::string_view text);

}  // namespace tally::fake::detail
