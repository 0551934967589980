#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <tally/fake/service.h>

namespace tally::fake {

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any that is free.
  unsigned threads = 1;    ///< That read and write. Requests that wait or search have their own.
  std::size_t headerLimit = std::size_t{64} * 1'024;   ///< Bytes of a request's line, and of its headers.
  std::size_t bodyLimit = std::size_t{1'024} * 1'024;  ///< Bytes of a request's body.
  /// How long a request may take from its first byte to its last, and its answer to be taken.
  std::chrono::milliseconds requestTimeout{10'000};
  /// How long a connection is kept on which nothing is asked.
  std::chrono::milliseconds idleTimeout{60'000};
  /// Further ones wait until one of these is closed.
  std::size_t maxConnections = 1'024;
  /// How long stop() waits for requests in progress.
  std::chrono::milliseconds drain{5'000};
  /// Moves the service's clock on to when an answer is due, as Service::transport() does: so that calls that
  /// follow each other are not all made at one instant. Without it time stands still, as with handle(). No
  /// matter where the clock runs by itself: then answers are sent when they are due.
  bool answersTakeTime = true;
};

/// Serves a Service over HTTP/1.1, for clients in other processes and languages. Without TLS, so for this
/// machine only.
///
/// Answers come at once, and the time that they take passes on the service's clock; see `answersTakeTime`.
/// Where that clock runs by itself, they come when they are due by it. A fault that breaks a connection
/// breaks it. A request whose peer goes away while it waits for an object's lock is not processed.
class HttpServer {
 public:
  /// Accepts connections from now on. `service` must outlive this. Throws std::system_error where it can't
  /// listen.
  explicit HttpServer(Service& service, const HttpServerOptions& options = {});
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  [[nodiscard]] std::uint16_t port() const noexcept;

  /// As `http://127.0.0.1:40123`: what `ClientOptions::baseUrl` wants.
  [[nodiscard]] std::string url() const;

  /// Accepts nothing more, answers the requests in progress, and closes all connections. So does the
  /// destructor.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tally::fake
