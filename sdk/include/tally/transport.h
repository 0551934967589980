#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/clock.h>
#include <tally/stop_token.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
struct AsyncSetup;
struct BorrowedPair;
}  // namespace detail

/// One HTTP header.
struct Header {
  std::string name{};
  std::string value{};

  operator detail::BorrowedPair() const&;
  operator detail::BorrowedPair() const&& = delete;  // a temporary: give it a name
  bool operator==(const Header&) const = default;
};

/// The HTTP methods of the API.
enum class Method : std::uint8_t { get, post };

/// Returns `GET` or `POST`.
[[nodiscard]] std::string_view toString(Method method) noexcept;

/// A request as the client hands it to a Transport.
struct HttpRequest {
  Method method = Method::get;
  std::string url{};  ///< Absolute and percent-encoded.
  std::vector<Header> headers{};
  std::string body{};
};

/// A complete response. `body` is uncompressed.
struct HttpResponse {
  int status = 0;
  std::vector<Header> headers{};
  std::string body{};

  bool operator==(const HttpResponse&) const = default;

  /// The value of the first header with that name, ignoring case; null if there is none. Valid until
  /// `headers` changes.
  [[nodiscard]] const std::string* header(std::string_view name) const noexcept;
};

/// Why an attempt produced no response.
struct TransportFailure {
  enum class Kind : std::uint8_t {
    forbidden,        ///< Refused before sending: a forbidden URL, such as plain HTTP, or an invalid header.
    couldNotResolve,  ///< The name of the host or proxy has no address.
    couldNotConnect,  ///< The connection was not established, or it broke during the TLS handshake.
    tls,              ///< TLS was refused: an untrusted certificate, or no common version. Not retried.
    connection,       ///< The connection broke before a response arrived.
    truncated,        ///< The connection broke during the response.
    malformed,        ///< The response is not HTTP, or its compression is unknown.
    tooLarge,         ///< The response exceeds the transport's size limit.
    timeout,          ///< The attempt exceeded its time limit.
    canceled,         ///< A stop was requested, or a SendFence did not permit the request.
  };

  Kind kind = Kind::connection;
  /// False only if no byte of the request can have reached the service; true when in doubt.
  bool mayHaveBeenSent = true;
  std::string message{};
};

/// The readable name, such as `could not connect`.
[[nodiscard]] std::string_view toString(TransportFailure::Kind kind) noexcept;

/// Print one line for logs and tests, without anything that is or may be secret. Bodies appear as their size,
/// and URLs appear without credentials or query. Header values appear only for `Content-Type`,
/// `Content-Length`, `Retry-After`, `Service-Account`, `Request-Id` and `Service-Rate-Limited-Reason`.
std::ostream& operator<<(std::ostream& out, Method method);
std::ostream& operator<<(std::ostream& out, const Header& header);
std::ostream& operator<<(std::ostream& out, const HttpRequest& request);
std::ostream& operator<<(std::ostream& out, const HttpResponse& response);
std::ostream& operator<<(std::ostream& out, TransportFailure::Kind kind);
std::ostream& operator<<(std::ostream& out, const TransportFailure& failure);

/// The result of one attempt: a complete response, whatever its status, or why there is none.
using TransportResult = std::variant<HttpResponse, TransportFailure>;

/// Bounds of one attempt.
struct SendLimits {
  Instant deadline{};  ///< A time on the client's Clock, at which the attempt ends with `Kind::timeout`.
  StopToken stop{};
  /// When the attempt started, on the same clock. Only transports on a virtual clock need it; it may be
  /// empty.
  std::optional<Instant> startedAt{};
};

std::ostream& operator<<(std::ostream& out, const SendLimits& value);

/// Sends requests to the service and receives its responses. Implementations must be thread-safe.
///
/// An exception from `send` propagates through a blocking call, and ends an asynchronous one in
/// ErrorKind::exception. The call is not retried and releases what it holds: its turn at the object and its
/// units of the pacer's limits. A read still counts against the read allocation. An observer receives the
/// attempt's `attemptEnded` event and the call's `callEnded` event, both with ErrorKind::exception. Whether
/// the call took effect is unknown.
class Transport {
 public:
  virtual ~Transport() = default;

  /// Makes one attempt, without retries or redirects, and blocks until it ends. Network failures are returned
  /// as a TransportFailure, which shows whether the request may have been sent.
  virtual TransportResult send(const HttpRequest& request, const SendLimits& limits) = 0;

  /// True if responses come from this process, on the transport's own clock, as with the fake. Waiting for a
  /// response in another thread then gains nothing, so the client starts no threads. This keeps the order of
  /// its requests reproducible. Asynchronous calls then make progress only in AsyncClient::run(). A transport
  /// that wraps another transport should return that transport's value.
  [[nodiscard]] virtual bool inProcess() const noexcept { return false; }

  /// Internal: how an AsyncClient sends without blocking through the transports of tally. If the result is
  /// null, as by default, the AsyncClient calls send() in its own thread, for one request at a time, without
  /// a stop token. A transport that wraps another transport should not override this, so that requests pass
  /// through its send().
  [[nodiscard]] virtual std::unique_ptr<detail::AsyncSetup> makeAsync(const std::shared_ptr<Clock>& clock);

 protected:
  Transport() = default;
  Transport(const Transport&) = default;
  Transport& operator=(const Transport&) = default;
};

}  // namespace tally
