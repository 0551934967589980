#include <ostream>
#include <stdexcept>
#include <utility>

#include <tally/error.h>
#include <tally/result.h>

#include "error/status.h"
#include "text/readable.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

class Category final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "tally"; }
  [[nodiscard]] std::string message(int kind) const override { return std::string{toString(kindOf(kind))}; }
  [[nodiscard]] std::error_condition default_error_condition(int kind) const noexcept override {
    switch (kindOf(kind)) {
      case ErrorKind::deadlineExceeded:
      case ErrorKind::timeout:
        return std::errc::timed_out;
      case ErrorKind::canceled:
        return std::errc::operation_canceled;
      case ErrorKind::permission:
        return std::errc::permission_denied;
      case ErrorKind::invalidParameter:
        return std::errc::invalid_argument;
      default:
        return {kind, *this};
    }
  }

 private:
  /// Codes start at 1: 0 means success to std::error_code.
  static ErrorKind kindOf(int code) noexcept { return static_cast<ErrorKind>(code - 1); }
};

/// When the same call may succeed, if it has changed nothing so far.
enum class Outlook : std::uint8_t { later, never, unclear };

Outlook outlookOf(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::deadlineExceeded:
    case ErrorKind::queueFull:
    case ErrorKind::timeout:
    case ErrorKind::malformedResponse:
    case ErrorKind::pagination:
    case ErrorKind::rateLimited:
    case ErrorKind::lockTimeout:
    case ErrorKind::tooManyRequests:
    case ErrorKind::server:
      return Outlook::later;
    case ErrorKind::connection:
      return error.failure() == TransportFailure::Kind::tls ? Outlook::never : Outlook::later;
    case ErrorKind::invalidRequest:
      return detail::stopsWaiting(error.status()) ? Outlook::later : Outlook::never;
    case ErrorKind::invalidParameter:
    case ErrorKind::responseTooLarge:
    case ErrorKind::authentication:
    case ErrorKind::permission:
    case ErrorKind::notFound:
      return Outlook::never;
    case ErrorKind::canceled:
    case ErrorKind::exception:
      break;
  }
  return Outlook::unclear;
}

/// Appends one `name value` to the brackets at the end of an error's line.
void appendPart(std::string& line, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  detail::appendReadable(line.append(name) += ' ', value);
  line += ", ";
}

/// The same for a number that is not 0.
void appendNumber(std::string& line, std::string_view name, int value) {
  if (value != 0) appendPart(line, name, std::to_string(value));
}

}  // namespace

std::string_view toString(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::invalidParameter:
      return "invalid parameter";
    case ErrorKind::canceled:
      return "canceled";
    case ErrorKind::deadlineExceeded:
      return "deadline exceeded";
    case ErrorKind::queueFull:
      return "queue full";
    case ErrorKind::connection:
      return "connection failure";
    case ErrorKind::timeout:
      return "timeout";
    case ErrorKind::malformedResponse:
      return "malformed response";
    case ErrorKind::responseTooLarge:
      return "response too large";
    case ErrorKind::pagination:
      return "endless pagination";
    case ErrorKind::invalidRequest:
      return "invalid request";
    case ErrorKind::authentication:
      return "not authenticated";
    case ErrorKind::permission:
      return "not permitted";
    case ErrorKind::notFound:
      return "not found";
    case ErrorKind::rateLimited:
      return "rate limited";
    case ErrorKind::lockTimeout:
      return "lock timeout";
    case ErrorKind::tooManyRequests:
      return "too many requests";
    case ErrorKind::server:
      return "server error";
    case ErrorKind::exception:
      return "exception";
  }
  return "unknown error";
}

std::string_view toString(Effect effect) noexcept {
  return effect == Effect::none ? "none" : "unknown";
}

Error::Error(Details details) : details_(std::make_shared<const Details>(std::move(details))) {}

bool Error::isRetryable() const noexcept {
  return effect() == Effect::none && outlookOf(*this) == Outlook::later;
}

bool Error::isPermanent() const noexcept {
  return effect() == Effect::none && outlookOf(*this) == Outlook::never;
}

Error::operator std::error_code() const noexcept {
  return make_error_code(kind());
}

std::string Error::toString() const {
  std::string line;
  if (!operation().empty()) line.append(operation()).append(": ");
  line += tally::toString(kind());
  if (!message().empty()) detail::appendReadable(line += ": ", message());
  line += " [";
  appendNumber(line, "status", status());
  appendPart(line, "code", code());
  appendPart(line, "param", param());
  if (rateLimitedReason()) appendPart(line, "reason", rateLimitedReason()->str());
  appendPart(line, "request", requestId());
  appendNumber(line, "attempts", attemptCount());
  line += "effect ";
  line += tally::toString(effect());
  return line += ']';
}

std::ostream& operator<<(std::ostream& out, ErrorKind kind) {
  return out << toString(kind);
}

std::ostream& operator<<(std::ostream& out, Effect effect) {
  return out << toString(effect);
}

std::ostream& operator<<(std::ostream& out, const Error& error) {
  return out << error.toString();
}

const std::error_category& errorCategory() noexcept {
  static const Category category;
  return category;
}

std::error_code make_error_code(ErrorKind kind) noexcept {
  return {static_cast<int>(kind) + 1, errorCategory()};
}

std::error_code make_error_code(const Error& error) noexcept {
  return make_error_code(error.kind());
}

Exception::Exception(const Error& error) : error_(error), what_(error.toString()) {}

void detail::throwException(const Error& error) {
  throw Exception{error};
}

void detail::throwNoError() {
  throw std::logic_error{"this tally::Result holds a value, not an error"};
}

std::ostream& operator<<(std::ostream& out, const Exception& exception) {
  return out << exception.what();
}

}  // namespace tally
