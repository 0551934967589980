#pragma once

#include <cstdint>
#include <string>

#include <tally/curl_transport.h>

namespace tally::conformance {

/// How requests reach the service.
enum class Over : std::uint8_t {
  nothing,  ///< In process.
  http,     ///< HTTP/1.1 over the loopback interface.
  tls,      ///< HTTP/2 over TLS, through a front server.
};

/// The value of `--over`.
[[nodiscard]] Over over();

/// The base URL and the transport options with which clients of this run reach a server on that port.
[[nodiscard]] std::string baseUrlOf(std::uint16_t port);
[[nodiscard]] CurlTransportOptions curlOptions();

}  // namespace tally::conformance
