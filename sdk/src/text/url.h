#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tally::detail {

/// Where the host of an absolute URL ends, with all that belongs to it: at the path, the query or the
/// fragment, or with the URL.
[[nodiscard]] std::size_t endOfAuthority(std::string_view url);

/// Appends `text` with everything but letters, digits and `-._~` percent-encoded: safe as one segment of a
/// path, as a name or a value of a query, and in a form.
void percentEncode(std::string& out, std::string_view text);

/// What `text` stands for in a path; nothing where a `%` is not followed by two hexadecimal digits.
[[nodiscard]] std::optional<std::string> percentDecode(std::string_view text);

/// The same in a form or a query, where `+` stands for a space.
[[nodiscard]] std::optional<std::string> formDecode(std::string_view text);

}  // namespace tally::detail
