#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>

#include <tally/fake/service.h>

namespace tally::fake {

/// The options of an HttpServer.
struct HttpServerOptions {
  /// An IP address.
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any free port.
  /// The threads for reading and writing; 0 counts as 1. Requests that may wait, and searches, use further
  /// threads.
  unsigned threads = 1;
  std::size_t headerLimit = std::size_t{64} * 1'024;   ///< Maximum bytes of request line and headers.
  std::size_t bodyLimit = std::size_t{1'024} * 1'024;  ///< Bytes of a request's body.
  /// The time limit for receiving a request, from its first byte to its last, and for sending its response.
  std::chrono::milliseconds requestTimeout{10'000};
  /// How long an idle connection is kept open.
  std::chrono::milliseconds idleTimeout{60'000};
  /// Further connections wait until one of these closes.
  std::size_t maxConnections = 1'024;
  /// How long stop() waits for requests in progress.
  std::chrono::milliseconds drain{5'000};
  /// A file in PEM with a certificate, followed by the rest of its chain. With it and its key, the server
  /// uses TLS 1.2 and later instead of plain HTTP.
  std::string tlsCertificate{};
  /// A file in PEM with the key of that certificate, not encrypted.
  std::string tlsKey{};
  /// Moves the service's clock to when a response is due, as Service::transport() does, so that successive
  /// calls are not all made at the same instant. Otherwise requests take no time, as with handle().
  /// Irrelevant while the clock is running: responses are then sent when they are due.
  bool responsesTakeTime = true;
  /// Whether the latency of a fault and the pauses in its body take real time, so that a client's timeout can
  /// expire; afterwards, the service's clock moves to when the response is due. If false, they pass only on
  /// that clock, as durations do: for clients that use it. Irrelevant while the clock is running.
  bool latencyTakesRealTime = true;
};

std::ostream& operator<<(std::ostream& out, const HttpServerOptions& value);

/// Serves a Service over HTTP/1.1, for clients in other processes and languages. Anyone who can connect can
/// use it: even with TLS, keep it on this machine or in a closed network.
///
/// Responses are sent immediately, and their time passes on the service's clock; see `responsesTakeTime`.
/// Only the latency of a fault takes real time, too; see `latencyTakesRealTime`. While that clock is running,
/// responses are sent when they are due. A fault that breaks the connection resets it. A request whose client
/// disconnects while it waits for a lock is not processed.
class HttpServer {
 public:
  /// Accepts connections from now on. `service` must outlive this. Throws std::system_error if it can't
  /// listen, and std::runtime_error, which names the file, if it can't use the certificate or the key, or if
  /// it was built without OpenSSL. Throws std::invalid_argument if only one of the two is given.
  explicit HttpServer(Service& service, const HttpServerOptions& options = {});
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  /// The port on which it listens.
  [[nodiscard]] std::uint16_t port() const noexcept;

  /// For `ClientOptions::baseUrl`, such as `http://127.0.0.1:40123`; with TLS, it begins with `https://`.
  [[nodiscard]] std::string url() const;

  /// Stops accepting connections, finishes the requests in progress for up to `drain`, and closes all
  /// connections. The destructor does the same. Thread-safe.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tally::fake
