#pragma once

#include <cstdint>
#include <string>

#include <tally/curl_transport.h>

namespace tally::conformance {

/// How the requests of a run reach the service.
enum class Over : std::uint8_t {
  nothing,  ///< A call of a function.
  http,     ///< HTTP/1.1 on the loopback interface.
  tls,      ///< HTTP/2 over TLS, to a front server that passes it on.
};

/// What `--over` says.
[[nodiscard]] Over over();

/// Where clients of this run find what listens on that port, and how they get there.
[[nodiscard]] std::string baseUrlOf(std::uint16_t port);
[[nodiscard]] CurlTransportOptions curlOptions();

}  // namespace tally::conformance
