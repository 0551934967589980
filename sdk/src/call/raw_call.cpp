#include "call/raw_call.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "call/request_builder.h"
#include "json/raw_json_reader.h"
#include "operations.h"
#include "schema/any_object.h"
#include "text/url.h"

namespace tally::detail {

namespace {

constexpr Resource unknownResource{.name = "unknown"};
constexpr AnyOperation unknownGet{
    .name = "raw.get", .method = Method::get, .path = {}, .resource = &unknownResource};
constexpr AnyOperation unknownPost{.name = "raw.post",
                                   .kind = OperationKind::update,
                                   .method = Method::post,
                                   .path = {},
                                   .resource = &unknownResource};

/// The part of `path` at the position of the identifier in a pattern such as `/v1/payouts/{id}`; empty if the
/// pattern has none. Null if the path does not match.
std::optional<std::string_view> match(std::string_view path, std::string_view pattern) {
  const std::size_t at = pattern.find(idPlaceholder);
  if (at == std::string_view::npos) return path == pattern ? std::optional{std::string_view{}} : std::nullopt;
  const std::string_view before = pattern.substr(0, at);
  const std::string_view behind = pattern.substr(at + idPlaceholder.size());
  if (path.size() <= before.size() + behind.size()) return std::nullopt;
  if (!path.starts_with(before) || !path.ends_with(behind)) return std::nullopt;
  const std::string_view id = path.substr(before.size(), path.size() - before.size() - behind.size());
  return id.find('/') == std::string_view::npos ? std::optional{id} : std::nullopt;
}

bool isIdentifier(std::string_view segment) {
  return std::ranges::any_of(operations, [&](const AnyOperation* operation) {
    const std::string_view prefix = operation->resource->idPrefix;
    return !prefix.empty() && segment.size() > prefix.size() && segment.starts_with(prefix);
  });
}

std::string_view identifierIn(std::string_view path) {
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const std::string_view segment = path.substr(0, path.find('/'));
    if (isIdentifier(segment)) return segment;
    path.remove_prefix(segment.size());
  }
  return {};
}

/// An identifier is compared and queued as the typed methods write it.
std::string decoded(std::string_view segment) {
  auto text = percentDecode(segment);
  return text ? *std::move(text) : std::string{segment};
}

std::optional<ParameterFault> check(const RawRequest& raw) {
  if (raw.method != Method::get && raw.method != Method::post)
    return ParameterFault{"method", "is neither GET nor POST"};
  if (!raw.path.starts_with('/')) return ParameterFault{"path", "must start with '/'"};
  if (raw.path.find_first_of("?#") != std::string::npos)
    return ParameterFault{"path", "contains '?' or '#'; parameters belong in params"};
  if (!isUrlText(raw.path)) return ParameterFault{"path", "contains a space or a control character"};
  if (auto fault = checkNames("params", raw.params)) return fault;
  if (raw.json.text.empty()) return std::nullopt;
  if (raw.method == Method::get) return ParameterFault{"json", "can't be the body of a GET"};
  if (!raw.params.empty()) return ParameterFault{"json", "can't be combined with params"};
  std::string compact;
  if (!appendJsonText(compact, raw.json.text)) return ParameterFault{"json", "is not valid JSON"};
  return std::nullopt;
}

/// Whether the service succeeded and, as the status says, has nothing to return.
bool isWithoutContent(const HttpResponse& response) {
  return (response.status == 204 || response.status == 205) && response.body.empty();
}

/// The parameters that the operation has: which are given, and the texts, which may identify an object. Other
/// values keep their defaults.
AnyObject paramsOf(const AnyOperation& operation, const std::vector<Param>& given) {
  if (operation.params == nullptr) return {};
  AnyObject params{*operation.params};
  for (const Param& param : given) {
    const Field* field = operation.params->find(param.name);
    if (field == nullptr || field->member == nullptr) continue;
    const ValueRef value = params.ref().member(*field).make();
    if (value.kind() == Kind::text || value.kind() == Kind::string) value.text() = param.value;
  }
  return params;
}

BodyEncoding bodyOf(const RawRequest& raw) {
  if (raw.method == Method::get) return BodyEncoding::none;
  return raw.json.text.empty() ? BodyEncoding::form : BodyEncoding::json;
}

}  // namespace

RawTarget targetOf(const RawRequest& request) {
  for (const AnyOperation* operation : operations)
    if (operation->method == request.method)
      if (const auto id = match(request.path, operation->path)) return {*operation, decoded(*id)};
  return {request.method == Method::get ? unknownGet : unknownPost, decoded(identifierIn(request.path))};
}

PacedRequest pacedRequest(const ClientCore& core, const RawTarget& target, const RawRequest& raw) {
  if (core.options().pacer == nullptr) return {};
  const AnyObject params = paramsOf(target.operation, raw.params);
  return core.pacedRequest(target.operation, target.object, params.ref());
}

std::variant<KeyedRequest, Error> buildRequest(const RequestDefaults& defaults, const RawTarget& target,
                                               const RawRequest& raw, const RequestOptions& options) {
  auto fault = check(raw);
  if (!fault) fault = defaults.check(options);
  if (!fault && !options.extraParams.empty())
    fault = ParameterFault{"extraParams", "belong to typed calls; use params"};
  if (fault) return invalidParameter(target.operation, *std::move(fault));
  KeyedRequest request;
  request.method = raw.method;
  request.url = urlOf(defaults.client(), raw.path);
  const BodyEncoding encoding = bodyOf(raw);
  if (encoding == BodyEncoding::json) {
    request.body = raw.json.text;
  } else {
    addParams(request, encoding, raw.params);
  }
  addHeaders(request, encoding, defaults, options);
  return request;
}

std::optional<Error> RawReader::read(TransportResult& result, Instant now) const {
  if (auto error = errorIn(result, operation_, now)) return error;
  auto& response = std::get<HttpResponse>(result);
  response_.json.text.clear();
  if (!isWithoutContent(response) && !appendJsonText(response_.json.text, response.body))
    return malformed(response, operation_, "the body is not JSON");
  response_.lastResponse = {response.status, std::move(response.headers)};
  return std::nullopt;
}

Result<RawResponse> send(const ClientCore& core, const RawRequest& raw, const RequestOptions& options) {
  const RawTarget target = targetOf(raw);
  const auto request = buildRequest(core.defaults(), target, raw, options);
  if (const auto* error = std::get_if<Error>(&request)) return *error;
  RawResponse response;
  if (auto error = core.send(target.operation, target.object, std::get<KeyedRequest>(request),
                             pacedRequest(core, target, raw), options, RawReader{target.operation, response}))
    return *std::move(error);
  return response;
}

}  // namespace tally::detail
