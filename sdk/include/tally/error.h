#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <tally/attempt.h>
#include <tally/open_enum.h>
#include <tally/rate_limited_reason.h>
#include <tally/transport.h>

namespace [[gnu::visibility("default")]] tally {

/// Whether a request that ended in an error changed anything at the service.
enum class Effect : std::uint8_t {
  none,  ///< Nothing changed: the request was not sent, the service refused it, or it only reads.
  /// Something may have changed: the request was sent, and no response from the service shows its outcome.
  unknown,
};

/// The kinds of errors in which a call can end. Spec: "Errors".
enum class ErrorKind : std::uint8_t {
  invalidParameter,  ///< Rejected before anything was sent; `param` names the parameter or option.
  canceled,          ///< A stop was requested, or the call's AsyncClient was closed.
  deadlineExceeded,  ///< The call's deadline passed, or the next wait would have overrun it.
  queueFull,         ///< The call can't wait. See MutationQueue and AsyncOptions::maxWaiting.
  connection,        ///< No connection was made, or the connection broke before the response was complete.
  timeout,           ///< An attempt exceeded its timeout, or the service responded with 408.
  /// The response is not HTTP, or the API description does not allow it: for example, a redirect, a gateway's
  /// 404 page, or an object other than the one in the path.
  malformedResponse,
  responseTooLarge,  ///< The response exceeds the transport's size limit.
  /// Pages would never end: an empty page is not the last, or a cursor is missing or repeated.
  pagination,
  invalidRequest,   ///< Refused by the service: 400, or another 4xx without its own kind.
  authentication,   ///< 401: the service does not accept the key. 407: a proxy demands credentials.
  permission,       ///< 403: the key may not do this, or a gateway or proxy does not permit it.
  notFound,         ///< 404 from the service: there is no such object or path.
  rateLimited,      ///< 429 with the limit in `rateLimitedReason`.
  lockTimeout,      ///< 429 with code `lock_timeout`: another request or process is using the object.
  tooManyRequests,  ///< 429 that is neither a rate limit nor a lock timeout.
  server,           ///< 5xx: the service or something in front of it failed.
  /// An exception ended the call. Asynchronous calls and observers receive this kind; a blocking call throws
  /// the exception.
  exception,
};

/// The readable name, such as `rate limited`.
[[nodiscard]] std::string_view toString(ErrorKind kind) noexcept;
[[nodiscard]] std::string_view toString(Effect effect) noexcept;

std::ostream& operator<<(std::ostream& out, ErrorKind kind);
std::ostream& operator<<(std::ostream& out, Effect effect);

/// What went wrong with a call, and whether the call took effect.
///
/// Cheap to copy: copies share immutable contents. Moving an error copies it, so a moved-from error keeps its
/// contents. `<<` prints one line, whatever the service sent; the line contains neither an API key nor a
/// body.
class Error {
 public:
  /// The contents of an error; the accessors return the members of the same names.
  struct Details {
    ErrorKind kind = ErrorKind::invalidRequest;
    Effect effect = Effect::none;
    int status = 0;            ///< HTTP status; 0 if no response arrived.
    bool fromService = false;  ///< See Error::isFromService().
    std::string type{};        ///< The service's error type, such as `invalid_request_error`.
    std::string code{};        ///< The service's error code, such as `lock_timeout`.
    std::string message{};     ///< Human-readable.
    /// The faulty parameter, as written on the wire, or the faulty option; empty if there is none.
    std::string param{};
    std::string requestId{};  ///< Empty if the response has none, as with a lock timeout.
    std::optional<OpenEnum<RateLimitedReason>> rateLimitedReason{};
    /// The wait that `Retry-After` asks for, if that header can be read.
    std::optional<std::chrono::seconds> retryAfter{};
    /// Why no response arrived, such as the reason for a `connection` error; empty if one arrived.
    std::optional<TransportFailure::Kind> failure{};
    std::string operation{};                         ///< Such as `payment_records.report_failed`.
    int attemptCount = 0;                            ///< The number of attempts; 0 if there were none.
    std::vector<Attempt> attempts{};                 ///< The attempts, in order.
    std::shared_ptr<const HttpResponse> response{};  ///< See Error::response().
  };

  explicit Error(Details details);
  Error(const Error&) noexcept = default;  // no move, which would leave an Error without details
  Error& operator=(const Error&) noexcept = default;
  ~Error() = default;

  [[nodiscard]] ErrorKind kind() const noexcept { return details_->kind; }
  [[nodiscard]] Effect effect() const noexcept { return details_->effect; }
  [[nodiscard]] int status() const noexcept { return details_->status; }
  [[nodiscard]] const std::string& type() const noexcept { return details_->type; }
  [[nodiscard]] const std::string& code() const noexcept { return details_->code; }
  [[nodiscard]] const std::string& message() const noexcept { return details_->message; }
  [[nodiscard]] const std::string& param() const noexcept { return details_->param; }
  [[nodiscard]] const std::string& requestId() const noexcept { return details_->requestId; }
  [[nodiscard]] const std::optional<OpenEnum<RateLimitedReason>>& rateLimitedReason() const noexcept {
    return details_->rateLimitedReason;
  }
  [[nodiscard]] std::optional<std::chrono::seconds> retryAfter() const noexcept {
    return details_->retryAfter;
  }
  [[nodiscard]] std::optional<TransportFailure::Kind> failure() const noexcept { return details_->failure; }
  [[nodiscard]] const std::string& operation() const noexcept { return details_->operation; }
  [[nodiscard]] int attemptCount() const noexcept { return details_->attemptCount; }
  [[nodiscard]] const std::vector<Attempt>& attempts() const noexcept { return details_->attempts; }
  /// The last response, as it arrived: its status, headers and body. Null if none arrived, and for
  /// ErrorKind::pagination, which concerns several pages. The body is cut off after 16 KiB, and the API key
  /// is replaced by `[key]`. Otherwise, the response contains whatever the service sent, so decide which
  /// parts may be logged; `<<` prints neither its body nor most of its headers. Valid as long as this error
  /// or a copy of it exists.
  [[nodiscard]] const HttpResponse* response() const noexcept { return details_->response.get(); }
  [[nodiscard]] const Details& details() const noexcept { return *details_; }

  /// Whether the service itself responded with this error: the body of the response has one of the service's
  /// error types (assumed; Spec: "Errors"). False if no response arrived, and for responses from gateways and
  /// proxies, which do not show whether the request was forwarded.
  [[nodiscard]] bool isFromService() const noexcept { return details_->fromService; }

  /// Whether the effect is `unknown`: the service may have done what the call asked for, although the call
  /// failed. Find out what happened before making the call again; for a report, use resolveReport().
  [[nodiscard]] bool mayHaveTakenEffect() const noexcept { return effect() == Effect::unknown; }

  /// Whether the same call may succeed later without any change. If true, making the call again is safe: the
  /// effect is `none`, so this call changed nothing. A read allocation may take days to recover, and a
  /// service that sends unreadable responses may need to be repaired. A call with a `deadline` needs a new
  /// deadline.
  ///
  /// This function and isPermanent() both return false for an error with effect `unknown`, because reporting
  /// twice may not have the same effect as reporting once: call resolveReport() first. They also return false
  /// for `canceled`, because the caller ended the call, and for `exception`.
  [[nodiscard]] bool isRetryable() const noexcept;
  /// Whether the same call ends in the same error until somebody changes an argument, an option, the key, the
  /// object, or the certificate of the service. If true, this call changed nothing: the effect is `none`.
  [[nodiscard]] bool isPermanent() const noexcept;

  /// The error as one readable line, without the number of attempts if nothing was sent.
  [[nodiscard]] std::string toString() const;
  /// Does not compile: an Error is a plain value. Only the Exception that carries it has what().
  template <class T = Error>
  const char* what() const {
    static_assert(std::is_void_v<T>,
                  "tally: an Error has no what(): message() is its text, and toString() adds all details");
    return {};
  }

  /// The kind, as a code of errorCategory(): `std::error_code code = error;`.
  operator std::error_code() const noexcept;

  /// Whether the error is of that kind: `error == ErrorKind::lockTimeout`.
  [[nodiscard]] friend bool operator==(const Error& error, ErrorKind kind) noexcept {
    return error.kind() == kind;
  }

 private:
  std::shared_ptr<const Details> details_;
};

std::ostream& operator<<(std::ostream& out, const Error& error);

/// The kind as a code of errorCategory(). The code compares equal to the ErrorKind.
[[nodiscard]] std::error_code make_error_code(ErrorKind kind) noexcept;
[[nodiscard]] std::error_code make_error_code(const Error& error) noexcept;
/// The category `tally`. Some codes also equal conditions of the standard library: `deadlineExceeded` and
/// `timeout` equal std::errc::timed_out, `canceled` equals std::errc::operation_canceled, `permission` equals
/// std::errc::permission_denied, and `invalidParameter` equals std::errc::invalid_argument.
[[nodiscard]] const std::error_category& errorCategory() noexcept;

}  // namespace tally

template <>
struct std::is_error_code_enum<tally::ErrorKind> : std::true_type {};
