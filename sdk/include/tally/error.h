#pragma once

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

namespace tally {

/// Whether a request that ended in an error changed anything at the service.
enum class Effect : std::uint8_t {
  none,     ///< It did not: it was not sent, or the service refused it, or it only reads.
  unknown,  ///< It may have: it was sent, and no answer says what became of it.
};

enum class ErrorKind : std::uint8_t {
  invalidParameter,  ///< Found wrong before anything was sent; `param` names the parameter or option.
  canceled,          ///< The call's stop token was triggered.
  deadlineExceeded,  ///< The call's deadline passed, or would have passed during the next wait.
  queueFull,         ///< The call can't wait for its turn at the object. See MutationQueue.
  connection,        ///< No connection, or it broke before an answer was complete.
  timeout,           ///< One attempt took longer than its timeout, or longer than a server waits: 408.
  malformedAnswer,   ///< An answer came that is not what the service is described to send.
  answerTooLarge,    ///< An answer came that is larger than the transport takes.
  pagination,        ///< Pages that would never end: an empty page claiming more, or a cursor seen before.
  invalidRequest,    ///< Refused by the service: 400, or another 4xx that has no kind of its own.
  authentication,    ///< 401.
  permission,        ///< 403.
  notFound,          ///< 404.
  rateLimited,       ///< 429 that names the limit in `rateLimitedReason`.
  lockTimeout,       ///< 429 with code `lock_timeout`: another request or process is using the object.
  tooManyRequests,   ///< 429 that names no rate limit and is no lock timeout.
  server,            ///< 5xx.
  exception,         ///< An exception ended the call. Only observers see this: the caller gets the exception.
};

[[nodiscard]] std::string_view toString(ErrorKind kind) noexcept;
[[nodiscard]] std::string_view toString(Effect effect) noexcept;

std::ostream& operator<<(std::ostream& out, ErrorKind kind);
std::ostream& operator<<(std::ostream& out, Effect effect);

/// What went wrong with a call, and whether the call took effect.
///
/// Cheap to copy; copies share what they tell. To move one is to copy it, so one that was moved from still
/// tells the same. Prints in one line with `<<`, whatever the service sent. Never holds a key or a body.
class Error {
 public:
  struct Details {
    ErrorKind kind = ErrorKind::invalidRequest;
    Effect effect = Effect::none;
    int status = 0;           ///< HTTP status, or 0 where no answer came.
    std::string type{};       ///< The service's error type, such as `invalid_request_error`.
    std::string code{};       ///< The service's error code, such as `lock_timeout`.
    std::string message{};    ///< For people.
    std::string param{};      ///< The parameter at fault, as it is written on the wire; empty if none is.
    std::string requestId{};  ///< Empty where the answer bore none, as with a lock timeout.
    std::optional<OpenEnum<RateLimitedReason>> rateLimitedReason{};
    std::optional<std::chrono::seconds> retryAfter{};  ///< For how long not to ask again, where it said so.
    /// Why no answer came, where none did: which kind of `connection`, for example.
    std::optional<TransportFailure::Kind> failure{};
    std::string operation{};       ///< Such as `payment_records.report_failed`.
    int attempts = 0;              ///< Requests handed to the transport.
    std::vector<Attempt> trail{};  ///< What came of each of them.
  };

  explicit Error(Details details);
  Error(const Error&) noexcept = default;  // and no move, which would leave an Error without details
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
  [[nodiscard]] int attempts() const noexcept { return details_->attempts; }
  [[nodiscard]] const std::vector<Attempt>& trail() const noexcept { return details_->trail; }
  [[nodiscard]] const Details& details() const noexcept { return *details_; }

  /// The same as one readable line.
  [[nodiscard]] std::string toString() const;

 private:
  std::shared_ptr<const Details> details_;
};

std::ostream& operator<<(std::ostream& out, const Error& error);

/// The error's kind as a code of `errorCategory()`.
[[nodiscard]] std::error_code make_error_code(ErrorKind kind) noexcept;
[[nodiscard]] std::error_code make_error_code(const Error& error) noexcept;
[[nodiscard]] const std::error_category& errorCategory() noexcept;

}  // namespace tally

template <>
struct std::is_error_code_enum<tally::ErrorKind> : std::true_type {};
