#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tally::fake::detail {

/// Decodes base64, with or without padding. Returns nothing if `text` is invalid.
[[nodiscard]] std::optional<std::string> decodeBase64(std::string_view text);

}  // namespace tally::fake::detail
