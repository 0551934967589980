#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <tally/transport.h>

namespace tally {

struct CurlTransportOptions {
  /// A file of PEM certificates to trust in place of all of the system's; empty: the system's. Certificates
  /// are always verified.
  std::string caFile{};
  /// Such as `http://proxy.example:3128`; empty: none. Nothing: what the environment says in `https_proxy`
  /// and its like, which is never asked for plain HTTP. A user and a password in it go to the proxy alone,
  /// and into no error. The loopback interface is reached without it where that is plain HTTP.
  std::optional<std::string> proxy{};
  /// The hosts that are reached without a proxy, separated by commas, as `internal.example,10.0.0.0/8`; `*`:
  /// all. Empty: none with `proxy`, whatever the environment says; without it what the environment says in
  /// `no_proxy`.
  std::string noProxy{};
  /// The longest that a connection may take to come about: address, proxy, TLS and all. Positive; more than
  /// 24 days are 24 days.
  std::chrono::milliseconds connectTimeout{10'000};
  /// The most connections that are kept open while nothing is sent on them; 0: none. Beyond that the one is
  /// closed that has been idle for longest.
  std::size_t maxIdleConnections = 32;
  /// How long a connection is kept open while nothing is sent on it, on the transport's clock. Positive. Best
  /// less than the service's own patience: what is sent while the service closes the connection may be lost.
  std::chrono::milliseconds maxIdleTime{30'000};
  /// How many bytes an answer may have: its body once it is uncompressed, and its head likewise.
  std::size_t maxAnswerBytes = std::size_t{64} * 1024 * 1024;
  /// Also goes to `http://` URLs beyond the loopback interface, where anyone on the way reads the key.
  bool allowPlainHttp = false;
};

/// HTTPS by libcurl, HTTP/2 where the server offers it. Connections are kept and used again, answers may be
/// compressed, redirects are not followed. A URL goes out as it is given.
///
/// Each attempt first closes the idle connections that are too old, or that the other side has closed. No
/// thread does so meanwhile: of a transport that sends nothing up to `maxIdleConnections` stay open.
///
/// Where there is no memory, an attempt ends in a failure that says whether the request may have been sent.
///
/// Nothing is ever sent twice, a read neither: where libcurl would do so on its own – a kept connection turns
/// out to be closed, a server refuses the stream or goes away – the attempt ends in a failure that says that
/// the request may have been sent. `mayHaveBeenSent` is false until a connection, its proxy and TLS have come
/// about.
///
/// A stop token or `SendLimits::until` ends an attempt at once, whatever it waits for. A lookup of a host's
/// address that is under way then goes on by itself on a thread of its own.
///
/// Plain `http://` goes to the loopback interface only. The clock that `SendLimits::until` is read on is
/// `clock`. Thread-safe; needs no initialisation, and no order of destruction.
///
/// Throws std::invalid_argument that names the option where a text has a control character in it or a
/// duration is not positive, and std::runtime_error where libcurl can't be initialised.
[[nodiscard]] std::shared_ptr<Transport> curlTransport(std::shared_ptr<Clock> clock,
                                                       CurlTransportOptions options = {});

}  // namespace tally
