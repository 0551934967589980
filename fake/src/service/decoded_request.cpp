#include <stdexcept>
#include <utility>

#include <tally/fake/decoded_request.h>

#include "json/json_writer.h"
#include "request/request_head.h"
#include "request/request_params.h"
#include "tables/refusal.h"
#include "tables/router.h"
#include "text/url.h"
#include "wire.h"

namespace tally::fake {

namespace detail {

namespace {

namespace header = tally::detail::header;

HttpResponse response(int status, std::string body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
}

void addText(std::string& json, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  if (!json.ends_with('{')) json += ',';
  json.append(1, '"').append(name).append("\":");
  tally::detail::writeJsonString(json, text);
}

std::string bodyOf(const Error& error) {
  std::string json = R"({"error":{)";
  addText(json, "type", error.type());
  addText(json, "code", error.code());
  addText(json, "message", error.message());
  addText(json, "param", error.param());
  return json += "}}";
}

/// An error that the client would make of a failure of its transport.
TransportFailure failureOf(const Error& error) {
  using Kind = TransportFailure::Kind;
  if (error.kind() != ErrorKind::connection && error.kind() != ErrorKind::timeout)
    throw std::invalid_argument{
        "a mock can't respond with an Error without a status, unless its kind is connection "
        "or timeout: " +
        error.toString() + ". fake::serviceError() returns the service's errors"};
  const Kind kind = error.kind() == ErrorKind::timeout ? Kind::timeout : Kind::connection;
  return {.kind = error.failure().value_or(kind),
          .mayHaveBeenSent = error.effect() == Effect::unknown,
          .message = error.message()};
}

std::shared_ptr<const void> shared(AnyObject&& object) {
  const auto owner = std::make_shared<AnyObject>(std::move(object));
  return {owner, owner->ref().address()};
}

}  // namespace

DecodedRequest decodeRequest(const HttpRequest& request) {
  static const Router router{tally::detail::operations};
  const Target target = targetOf(request.url);
  DecodedRequest decoded{.path = std::string{target.path}};
  const Route route = router.find(request.method, target.path);
  if (route.operation == nullptr) return decoded;
  decoded.operation = route.operation->name;
  decoded.id = tally::detail::percentDecode(route.id).value_or(std::string{route.id});
  decoded.isSearch = route.operation->kind == OperationKind::search;
  RequestParams params =
      readParams(*route.operation, target.query, headOf(request).contentType, request.body);
  if (params.fault) {
    decoded.problem = errorBody(*params.fault);
  } else if (route.operation->params != nullptr) {
    decoded.params = shared(std::move(params.object));
  }
  return decoded;
}

TransportResult encodeError(const Error& error) {
  if (error.status() == 0) return failureOf(error);
  HttpResponse result = response(error.status(), bodyOf(error));
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) result.headers.push_back({std::string{name}, value});
  };
  add(header::requestId, error.requestId());
  if (error.rateLimitedReason()) add(header::rateLimitedReason, error.rateLimitedReason()->str());
  if (error.retryAfter()) add("Retry-After", std::to_string(error.retryAfter()->count()));
  return result;
}

HttpResponse encodeObject(std::string json) {
  return response(200, std::move(json));
}

HttpResponse encodePage(const DecodedRequest& request, const EncodedPage& page) {
  std::string json = "{";
  addText(json, "object", request.isSearch ? "search_result" : "list");
  addText(json, "url", page.url.empty() ? request.path : page.url);
  json += page.hasMore ? R"(,"has_more":true)" : R"(,"has_more":false)";
  addText(json, "next_page", page.nextPage.value_or(""));
  if (page.totalCount) json += R"(,"total_count":)" + std::to_string(*page.totalCount);
  json += R"(,"data":[)";
  for (const std::string& object : page.data)
    json.append(&object == &page.data.front() ? "" : ",").append(object);
  return response(200, json += "]}");
}

}  // namespace detail

Error serviceError(std::string_view name, std::optional<RateLimitedReason> reason) {
  const detail::ErrorResponse* const found = detail::findError(detail::errorResponses, name);
  if (found == nullptr) throw std::invalid_argument{"the service has no error '" + std::string{name} + '\''};
  Error::Details details{.status = found->status,
                         .fromService = true,
                         .type = std::string{found->type},
                         .code = std::string{found->code},
                         .message = std::string{found->message}};
  if (reason) details.rateLimitedReason = OpenEnum{*reason};
  return Error{std::move(details)};
}

}  // namespace tally::fake
