#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tally::detail {

/// Encodes bytes with padding.
[[nodiscard]] std::string encodeBase64(std::string_view bytes);

/// Decodes base64, with or without padding. Returns nothing if `text` is invalid.
[[nodiscard]] std::optional<std::string> decodeBase64(std::string_view text);

}  // namespace tally::detail
