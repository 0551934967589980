#include "http/response_reader.h"

#include <memory>
#include <utility>

#include <tally/error_codes.h>

#include "codec/json_reader.h"
#include "http/error_body.h"
#include "http/redaction.h"
#include "http/retry_after.h"
#include "http/status.h"
#include "wire.h"

namespace tally::detail {

namespace {

ErrorKind kindOf429(const Error::Details& error) {
  if (error.code == error_code::lockTimeout) return ErrorKind::lockTimeout;
  return error.rateLimitedReason ? ErrorKind::rateLimited : ErrorKind::tooManyRequests;
}

ErrorKind kindOf(const Error::Details& error) {
  if (error.status >= 500) return ErrorKind::server;
  if (error.status < 400) return ErrorKind::malformedResponse;
  switch (error.status) {
    case 401:
      return ErrorKind::authentication;
    case 403:
      return ErrorKind::permission;
    case 404:
      return ErrorKind::notFound;
    case 408:
      return ErrorKind::timeout;
    case 429:
      return kindOf429(error);
    default:
      return ErrorKind::invalidRequest;
  }
}

ErrorKind kindOf(TransportFailure::Kind kind) {
  switch (kind) {
    case TransportFailure::Kind::forbidden:
      return ErrorKind::invalidParameter;
    case TransportFailure::Kind::malformed:
      return ErrorKind::malformedResponse;
    case TransportFailure::Kind::tooLarge:
      return ErrorKind::responseTooLarge;
    case TransportFailure::Kind::timeout:
      return ErrorKind::timeout;
    case TransportFailure::Kind::canceled:
      return ErrorKind::canceled;
    case TransportFailure::Kind::couldNotResolve:
    case TransportFailure::Kind::couldNotConnect:
    case TransportFailure::Kind::tls:
    case TransportFailure::Kind::connection:
    case TransportFailure::Kind::truncated:
      break;
  }
  return ErrorKind::connection;
}

/// Whether a status certainly means that nothing was done. A redirect, which is never followed, and a 5xx do
/// not tell what was done.
bool isRefusal(int status) {
  return status >= 400 && status < 500 && !stopsWaiting(status);
}

std::string headerOrEmpty(const HttpResponse& response, std::string_view name) {
  const std::string* value = response.header(name);
  return value == nullptr ? std::string{} : *value;
}

Effect effectIf(bool mayHaveHappened, const AnyOperation& operation) {
  return mayHaveHappened && operation.writes() ? Effect::unknown : Effect::none;
}

Error readFailure(const TransportFailure& failure, const AnyOperation& operation) {
  return Error{{.kind = kindOf(failure.kind),
                .effect = effectIf(failure.mayHaveBeenSent, operation),
                .message = failure.message,
                .param = failure.kind == TransportFailure::Kind::forbidden ? "baseUrl" : "",
                .failure = failure.kind,
                .operation = std::string{operation.name}}};
}

/// The response for Error::response().
std::shared_ptr<const HttpResponse> kept(const HttpResponse& response) {
  return std::make_shared<const HttpResponse>(
      HttpResponse{response.status, response.headers, response.body.substr(0, mostOfKeptBody)});
}

Error readRefusal(const HttpResponse& response, const AnyOperation& operation, Instant now) {
  Error::Details error;
  if (!readErrorBody(response.body, error)) error.message = "the response body contains no readable error";
  error.status = response.status;
  error.requestId = headerOrEmpty(response, header::requestId);
  error.operation = operation.name;
  if (const std::string* reason = response.header(header::rateLimitedReason))
    error.rateLimitedReason = OpenEnum<RateLimitedReason>{*reason};
  error.retryAfter = retryAfter(response, now);
  error.kind = kindOf(error);
  error.effect = effectIf(!isRefusal(response.status), operation);
  error.response = kept(response);
  return Error{std::move(error)};
}

}  // namespace

Error malformed(const HttpResponse& response, const AnyOperation& operation, std::string problem) {
  return Error{{.kind = ErrorKind::malformedResponse,
                .effect = effectIf(true, operation),
                .status = response.status,
                .message = std::move(problem),
                .requestId = headerOrEmpty(response, header::requestId),
                .operation = std::string{operation.name},
                .response = kept(response)}};
}

std::optional<Error> errorIn(const TransportResult& result, const AnyOperation& operation, Instant now) {
  if (const auto* failure = std::get_if<TransportFailure>(&result)) return readFailure(*failure, operation);
  const auto& response = std::get<HttpResponse>(result);
  if (response.status < 200 || response.status >= 300) return readRefusal(response, operation, now);
  return std::nullopt;
}

std::optional<Error> ResponseReader::read(TransportResult& result, Instant now) const {
  if (auto error = errorIn(result, operation_, now)) return error;
  auto& response = std::get<HttpResponse>(result);
  const auto problem = readJson(response.body, target_);
  if (!problem) {
    if (LastResponse* last = target_.lastResponse()) *last = {response.status, std::move(response.headers)};
    return std::nullopt;
  }
  return malformed(response, operation_, *problem);
}

}  // namespace tally::detail
