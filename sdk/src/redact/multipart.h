#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tally::detail {

/// Replaces the contents of each part of a `multipart/form-data` body by what `replace` makes of its name and
/// contents, and what follows the last part, which has no name. `type` is the media type, with the boundary.
/// Nothing if the body is malformed.
[[nodiscard]] std::optional<std::string> withParts(
    std::string_view type, std::string_view body,
    const std::function<std::string(std::string_view name, std::string_view contents)>& replace);

}  // namespace tally::detail
