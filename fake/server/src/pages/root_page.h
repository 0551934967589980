#pragma once

#include <string_view>

#include <tally/transport.h>

namespace tally::fake::detail {

/// What `/` shows: what this server is, and how to use it. HTML if the request accepts it, or else text.
/// `scheme` is that of the server, such as `http`.
[[nodiscard]] HttpResponse rootPage(const HttpRequest& request, std::string_view scheme);

}  // namespace tally::fake::detail
