#pragma once

#include <string>
#include <string_view>

#include <tally/curl_transport.h>

namespace tally::detail {

/// Whether that URL is neither encrypted nor leaves this machine.
[[nodiscard]] bool isPlainLoopback(std::string_view url);

/// Whether a URL is plain HTTP.
[[nodiscard]] bool isPlain(std::string_view url);

/// Why a request is not sent, for people; empty if it is. No part of a header's value stands in it.
[[nodiscard]] std::string refusal(const HttpRequest& request, const CurlTransportOptions& options);

/// Throws std::invalid_argument for options that nothing can be sent with.
void check(const CurlTransportOptions& options);

}  // namespace tally::detail
