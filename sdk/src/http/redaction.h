#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tally/error.h>

namespace tally::detail {

/// How many bytes of a body Error::response() has at most.
inline constexpr std::size_t mostOfKeptBody = 16'384;

/// The API key of `request`: what follows the scheme in `Authorization`, without the blanks around it, which
/// recipients ignore; empty if there is none.
[[nodiscard]] std::string_view keyOf(const HttpRequest& request);

/// Replaces the key of `request` by `[key]` in an error: a service or an intermediary may repeat in its
/// response what it was sent. A body that was cut off may end inside the key.
[[nodiscard]] Error withoutKey(const Error& error, const HttpRequest& request);

/// The same for a text.
[[nodiscard]] std::string withoutKey(std::string text, const HttpRequest& request);

}  // namespace tally::detail
