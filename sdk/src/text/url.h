#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tally::detail {

/// The index of the first `/`, `?` or `#`; the text's size if it has none.
[[nodiscard]] std::size_t firstDelimiter(std::string_view text);

/// The end of the authority (user, host, port) of an absolute URL: the index of the path, query or fragment,
/// or the URL's size.
[[nodiscard]] std::size_t endOfAuthority(std::string_view url);

/// Whether a client can use this URL as `baseUrl`. A program that checks it first sends and writes nothing
/// for a wrong one.
[[nodiscard]] inline bool isServiceAddress(std::string_view url) {
  const std::string_view scheme = url.substr(0, url.find("://"));
  if (scheme.size() == url.size() || (scheme != "https" && scheme != "http")) return false;
  if (endOfAuthority(url) <= scheme.size() + 3) return false;
  return std::ranges::all_of(url, [](char c) { return c > ' ' && c != '?' && c != '#' && c != '\x7F'; });
}

/// An absolute URL without the user and password before its host.
[[nodiscard]] std::string withoutCredentials(std::string_view url);

/// Appends `text`, percent-encoding everything but letters, digits and `-._~`: safe in a path segment, in a
/// query and in a form.
void percentEncode(std::string& out, std::string_view text);

/// Decodes a part of a path; nullopt if a `%` is not followed by two hexadecimal digits.
[[nodiscard]] std::optional<std::string> percentDecode(std::string_view text);

/// The same for a form or a query, where `+` means a space.
[[nodiscard]] std::optional<std::string> formDecode(std::string_view text);

}  // namespace tally::detail
