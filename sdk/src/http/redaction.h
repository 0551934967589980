#pragma once

#include <string>
#include <string_view>

#include <tally/error.h>

namespace tally::detail {

/// The key that `request` is sent with: what follows the scheme in `Authorization`; empty if there is
/// nothing.
[[nodiscard]] std::string_view keyOf(const HttpRequest& request);

/// The error, with `[key]` wherever the key of `request` stands in it: a service, or something on the way to
/// it, may say in its answer what it was sent.
[[nodiscard]] Error withoutKey(const Error& error, const HttpRequest& request);

/// The same of a text.
[[nodiscard]] std::string withoutKey(std::string text, const HttpRequest& request);

}  // namespace tally::detail
