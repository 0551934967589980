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
  /// The IP address on which the server listens.
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< The port; 0: any free port.
  /// The number of threads for reading and writing; 0 counts as 1. Searches, and requests that may have to
  /// wait, use additional threads.
  unsigned threads = 1;
  /// The maximum size of the request line and the headers, in bytes. Each header counts 32 bytes more.
  std::size_t headerLimit = std::size_t{64} * 1'024;
  std::size_t bodyLimit = std::size_t{1'024} * 1'024;  ///< The maximum size of a request's body, in bytes.
  /// The time limit for receiving a request, from its first byte to its last, and for sending its response.
  std::chrono::milliseconds requestTimeout{10'000};
  /// How long an idle connection is kept open.
  std::chrono::milliseconds idleTimeout{60'000};
  /// How many connections may be open at once. Further connections wait until one closes.
  std::size_t maxConnections = 1'024;
  /// How long stop() waits for requests in progress.
  std::chrono::milliseconds drain{5'000};
  /// A PEM file with a certificate, followed by the rest of its chain. If this and `tlsKey` are set, the
  /// server uses TLS 1.2 and later instead of plain HTTP.
  std::string tlsCertificate{};
  /// A PEM file with the unencrypted key of that certificate.
  std::string tlsKey{};
  /// Moves the service's clock to the time at which a response is due, as Service::transport() does, so that
  /// successive calls are not all made at the same instant. If false, requests take no time, as with
  /// handle(). Has no effect while the clock is running: responses are then sent when they are due.
  bool responsesTakeTime = true;
  /// Whether the latency and the pauses of a fault take real time, so that a client's timeout can expire.
  /// Afterwards, the service's clock moves to the time at which the response is due. If false, the latency
  /// and the pauses pass only on the service's clock, as durations do; this is for clients that use that
  /// clock. Has no effect while the clock is running.
  bool latencyTakesRealTime = true;
};

std::ostream& operator<<(std::ostream& out, const HttpServerOptions& value);

/// Serves a Service over HTTP/1.1, for clients in other processes and languages. Anyone who can connect can
/// use it, so keep it on this machine or in a closed network, even with TLS.
///
/// Responses are sent immediately, and the time that they take passes on the service's clock; see
/// `responsesTakeTime`. Only the latency of a fault also takes real time; see `latencyTakesRealTime`. While
/// the service's clock is running, responses are sent when they are due. A fault that breaks the connection
/// resets it. A request whose client disconnects while it waits for a lock is not processed.
///
/// A process made by fork() leaves the server to its parent: there, stop() and the destructor do nothing.
class HttpServer {
 public:
  /// Accepts connections from now on. `service` must outlive the server. Throws std::system_error if the
  /// server can't listen. Throws std::runtime_error, which names the file, if the server can't use the
  /// certificate or the key, or was built without OpenSSL. Throws std::invalid_argument if only the
  /// certificate or only the key is given.
  explicit HttpServer(Service& service, const HttpServerOptions& options = {});
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  /// The port on which the server listens.
  [[nodiscard]] std::uint16_t port() const noexcept;

  /// The value for `ClientOptions::baseUrl`, such as `http://127.0.0.1:40123`. With TLS, it begins with
  /// `https://`.
  [[nodiscard]] std::string url() const;

  /// Stops accepting connections, gives the requests in progress up to `drain` to finish, and closes all
  /// connections. The destructor does the same. Thread-safe.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tally::fake
