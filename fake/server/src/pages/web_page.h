#pragma once

#include <optional>
#include <string_view>

#include <tally/transport.h>

namespace tally::fake::detail {

/// The response to a GET of a file of the web page; nothing for any other `path`, which is the part after
/// `/_fake/`. The page itself has an empty path. No key is needed.
[[nodiscard]] std::optional<HttpResponse> webPage(std::string_view path);

}  // namespace tally::fake::detail
