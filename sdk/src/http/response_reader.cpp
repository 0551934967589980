#include "http/response_reader.h"

#include <memory>
#include <utility>

#include <tally/error_codes.h>

#include "error/error_body.h"
#include "error/status.h"
#include "http/redaction.h"
#include "http/retry_after.h"
#include "json/json_reader.h"
#include "wire.h"

namespace tally::detail {

namespace {

ErrorKind kindOf429(const Error::Details& error) {
  if (error.code == error_code::lockTimeout) return ErrorKind::lockTimeout;
  return error.rateLimitedReason ? ErrorKind::rateLimited : ErrorKind::tooManyRequests;
}

/// The kind of a 4xx that has none of its own. Only a response from the service itself is a refusal.
ErrorKind kindOfRefusal(const Error::Details& error) {
  if (!error.fromService) return ErrorKind::malformedResponse;
  return error.status == 404 ? ErrorKind::notFound : ErrorKind::invalidRequest;
}

ErrorKind kindOf(const Error::Details& error) {
  if (error.status >= 500) return ErrorKind::server;
  if (error.status < 400) return ErrorKind::malformedResponse;
  switch (error.status) {
    case 401:
    case 407:
      return ErrorKind::authentication;
    case 403:
      return ErrorKind::permission;
    case 408:
      return ErrorKind::timeout;
    case 429:
      return kindOf429(error);
    default:
      return kindOfRefusal(error);
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

/// Whether a response certainly means that nothing was done. A redirect, which is never followed, and a 5xx
/// do not show what was done. Neither does a response from a gateway, which may have forwarded the request;
/// but a gateway checks credentials and limits before it forwards one.
bool isRefusal(const Error::Details& error) {
  if (error.status < 400 || error.status >= 500 || stopsWaiting(error.status)) return false;
  return error.fromService || error.status == 401 || error.status == 407 || error.status == 429;
}

bool isRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/// What to say about an error without a readable body.
std::string_view unreadableError(int status) {
  if (status == 407)
    return "it demands credentials; check CurlTransportOptions::proxy and the https_proxy variable";
  if (isRedirect(status)) return "it redirects to another URL, which is not followed; check baseUrl";
  return "the response body contains no readable error";
}

/// The message of a 4xx.
std::string messageOf(const Error::Details& error) {
  if (error.fromService || error.status >= 500 || error.status < 400) return error.message;
  return "the response is not from the service, but probably from a gateway or proxy: " + error.message;
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
  if (!readErrorBody(response.body, error)) error.message = unreadableError(response.status);
  error.status = response.status;
  error.requestId = headerOrEmpty(response, header::requestId);
  error.operation = operation.name;
  if (const std::string* reason = response.header(header::rateLimitedReason))
    error.rateLimitedReason = OpenEnum<RateLimitedReason>{*reason};
  error.retryAfter = retryAfter(response, now);
  error.message = messageOf(error);
  error.kind = kindOf(error);
  error.effect = effectIf(!isRefusal(error), operation);
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

/// A cache or a proxy that is out of step may return another object than the one in the path.
std::optional<std::string> ResponseReader::problemOf(const HttpResponse& response) const {
  if (auto problem = readJson(response.body, target_)) return problem;
  const Field* field = id_.empty() ? nullptr : target_.type().find("id");
  if (field == nullptr) return std::nullopt;
  const ConstValueRef id = std::as_const(target_).value(*field);
  if (id && id.text() == id_) return std::nullopt;
  return "the response is about another object: '" + (id ? id.text() : "") + "' instead of '" +
         std::string{id_} + '\'';
}

std::optional<Error> ResponseReader::read(TransportResult& result, Instant now) const {
  if (auto error = errorIn(result, operation_, now)) return error;
  auto& response = std::get<HttpResponse>(result);
  if (auto problem = problemOf(response)) return malformed(response, operation_, *std::move(problem));
  if (LastResponse* last = target_.lastResponse()) *last = {response.status, std::move(response.headers)};
  return std::nullopt;
}

}  // namespace tally::detail
