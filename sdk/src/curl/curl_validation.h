#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include <tally/curl_transport.h>

namespace tally::detail {

/// Whether a URL is unencrypted and stays on this machine.
[[nodiscard]] bool isPlainLoopback(std::string_view url);

[[nodiscard]] bool isPlain(std::string_view url);

/// Why a request with that much time left is not sent; null if it is. Contains no part of a header's value.
[[nodiscard]] std::optional<TransportFailure> refusal(const HttpRequest& request,
                                                      const CurlTransportOptions& options,
                                                      std::chrono::nanoseconds remaining);

/// Throws std::invalid_argument for unusable options.
void check(const CurlTransportOptions& options);

}  // namespace tally::detail
