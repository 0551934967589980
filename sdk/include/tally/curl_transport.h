#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <tally/transport.h>

namespace tally {

struct CurlTransportOptions {
  /// A file of PEM certificates to trust in place of the system's; empty: the system's. Certificates are
  /// always verified.
  std::string caFile{};
  /// Such as `http://proxy.example:3128`; empty: none. Nothing: what the environment says in `https_proxy`
  /// and its like, which is never asked for plain HTTP.
  std::optional<std::string> proxy{};
  /// The longest that a connection may take to come about, TLS and all. Positive.
  std::chrono::milliseconds connectTimeout{10'000};
  /// How many bytes of body, once it is uncompressed, an answer may have.
  std::size_t maxAnswerBytes = std::size_t{64} * 1024 * 1024;
  /// Also goes to `http://` URLs beyond the loopback interface, where anyone on the way reads the key.
  bool allowPlainHttp = false;
};

/// HTTPS by libcurl, HTTP/2 where the server offers it. Connections are kept and used again, answers may be
/// compressed, redirects are not followed, and nothing is ever sent twice: where libcurl would repeat a write
/// on its own, the attempt ends in a failure that says that it may have been sent.
///
/// Plain `http://` goes to the loopback interface only. The clock that `SendLimits::until` is read on is
/// `clock`. Thread-safe; needs no initialisation, and no order of destruction.
[[nodiscard]] std::shared_ptr<Transport> curlTransport(std::shared_ptr<Clock> clock,
                                                       CurlTransportOptions options = {});

}  // namespace tally
