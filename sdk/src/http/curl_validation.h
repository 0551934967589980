#pragma once

#include <string>
#include <string_view>

#include <tally/curl_transport.h>

namespace tally::detail {

/// Whether a URL is unencrypted and stays on this machine.
[[nodiscard]] bool isPlainLoopback(std::string_view url);

[[nodiscard]] bool isPlain(std::string_view url);

/// Why a request is not sent, for people; empty if it is sent. Contains no part of a header's value.
[[nodiscard]] std::string refusal(const HttpRequest& request, const CurlTransportOptions& options);

/// Throws std::invalid_argument for unusable options.
void check(const CurlTransportOptions& options);

}  // namespace tally::detail
