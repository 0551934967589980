#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/clock.h>

namespace tally {

struct Header {
  std::string name{};
  std::string value{};

  bool operator==(const Header&) const = default;
};

enum class Method : std::uint8_t { get, post };

/// The method as HTTP writes it.
[[nodiscard]] std::string_view toString(Method method) noexcept;

struct HttpRequest {
  Method method = Method::get;
  std::string url{};  ///< Absolute, encoded.
  std::vector<Header> headers{};
  std::string body{};
};

struct HttpResponse {
  int status = 0;
  std::vector<Header> headers{};
  std::string body{};

  bool operator==(const HttpResponse&) const = default;

  /// The value of the first header of that name, whatever its case; null if there is none.
  [[nodiscard]] const std::string* header(std::string_view name) const noexcept;
};

/// Why no answer came.
struct TransportFailure {
  enum class Kind : std::uint8_t {
    forbidden,        ///< The URL is none that this transport goes to, such as plain HTTP.
    couldNotResolve,  ///< The host has no address.
    couldNotConnect,  ///< Nobody takes connections there, or the TLS handshake breaks off.
    tls,              ///< The certificate is not trusted, or is for another host: not retried.
    connection,       ///< The connection broke before an answer.
    truncated,        ///< The connection broke within the answer.
    malformed,        ///< What came is no HTTP, or is compressed in no known way.
    tooLarge,         ///< The answer is larger than the transport takes.
    timeout,          ///< The time for the attempt was over.
    canceled,         ///< A stop was requested.
  };

  Kind kind = Kind::connection;
  /// False only when not a byte of the request can have reached the service. When in doubt: true.
  bool mayHaveBeenSent = true;
  std::string message{};
};

/// In words, as `could not connect`.
[[nodiscard]] std::string_view toString(TransportFailure::Kind kind) noexcept;

/// For logs and tests, in one line, and without what is a secret or may be one: of a request and an answer
/// the size of the body, of a URL nothing behind its path, and the values of no headers but `Content-Type`,
/// `Content-Length`, `Retry-After`, `Service-Account`, `Request-Id` and `Service-Rate-Limited-Reason`.
std::ostream& operator<<(std::ostream& out, Method method);
std::ostream& operator<<(std::ostream& out, const Header& header);
std::ostream& operator<<(std::ostream& out, const HttpRequest& request);
std::ostream& operator<<(std::ostream& out, const HttpResponse& response);
std::ostream& operator<<(std::ostream& out, TransportFailure::Kind kind);
std::ostream& operator<<(std::ostream& out, const TransportFailure& failure);

/// What bounds one attempt.
struct SendLimits {
  Instant until{};  ///< On the client's Clock; the attempt ends in `Kind::timeout` then.
  std::stop_token stop{};
  /// When the attempt began, on that Clock. For a transport on which time leaps; nothing is a good answer.
  std::optional<Instant> from{};
};

/// Bytes out, bytes in: how requests reach the service. `send` makes one attempt: it neither retries nor
/// follows redirects. Implementations are thread-safe.
///
/// What goes wrong on the way is a TransportFailure, which says whether the request may have been sent. What
/// `send` throws passes through the call instead, which is not made again, and leaves nothing behind: its
/// turn at the object and its place with a pacer are given back, a read counts as used, and an observer is
/// told of the answer that did not come and of the call's end, as ErrorKind::exception. Whether the call took
/// effect is not known then.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual std::variant<HttpResponse, TransportFailure> send(const HttpRequest& request,
                                                            const SendLimits& limits) = 0;

  /// Whether answers come from this process itself, on a clock of its own, as the fake's do, so that it gains
  /// nothing to wait for one in another thread. Then a client has no threads, and the order of its requests
  /// is always the same. A transport around another one passes on what that one says.
  [[nodiscard]] virtual bool inProcess() const noexcept { return false; }

 protected:
  Transport() = default;
  Transport(const Transport&) = default;
  Transport& operator=(const Transport&) = default;
};

}  // namespace tally
