#include "call/request_builder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "form/form_writer.h"
#include "json/json_writer.h"
#include "options/key_header.h"
#include "schema/cursor.h"
#include "text/ascii.h"
#include "text/readable.h"
#include "text/url.h"
#include "wire.h"

namespace tally::detail {

namespace {

using Fault = std::optional<ParameterFault>;

/// The connected account of a call whose headers name none.
const std::string& accountOption(const ClientOptions& client, const RequestOptions& options) noexcept {
  return options.connectedAccount ? *options.connectedAccount : client.connectedAccount;
}

/// Whether the key is set before each attempt, or by a header.
bool keyIsDue(const ClientOptions& client, const RequestOptions& options) {
  return client.apiKeyProvider && !options.apiKey;
}

Fault faultIn(const RequestDefaults& defaults, const AnyOperation& operation, std::string_view id,
              ConstObjectRef params, const RequestOptions& options) {
  if (operation.path.find(idPlaceholder) != std::string_view::npos)
    if (Fault fault = checkId("id", operation.resource->idPrefix, id)) return fault;
  if (params)
    if (Fault fault = checkParams(params)) return fault;
  if (Fault fault = defaults.check(options)) return fault;
  return checkExtraParams(operation, options.extraParams);
}

/// The address of the service, with room for a path.
std::string baseOf(const ClientOptions& client, std::size_t sizeOfPath) {
  std::string url;
  url.reserve(client.baseUrl.size() + sizeOfPath);
  url = client.baseUrl;
  if (url.ends_with('/')) url.pop_back();
  return url;
}

std::string urlOf(const ClientOptions& client, const AnyOperation& operation, std::string_view id) {
  std::string url = baseOf(client, operation.path.size() + id.size());
  const std::size_t at = operation.path.find(idPlaceholder);
  url += operation.path.substr(0, at);
  if (at == std::string_view::npos) return url;
  percentEncode(url, id);
  url += operation.path.substr(at + idPlaceholder.size());
  return url;
}

void addParams(HttpRequest& request, const AnyOperation& operation, ConstObjectRef params) {
  if (!params) return;
  if (operation.body == BodyEncoding::json) return writeJson(request.body, params);
  if (operation.body == BodyEncoding::form) return writeForm(request.body, params);
  std::string query;
  writeForm(query, params, {cursor::startingAfter, cursor::endingBefore, cursor::page});
  if (!query.empty()) request.url += '?' + query;
}

std::string_view contentType(BodyEncoding encoding) {
  return encoding == BodyEncoding::json ? "application/json" : "application/x-www-form-urlencoded";
}

void addMembers(std::string& object, const std::vector<Param>& members) {
  if (object.empty()) object = "{}";
  object.pop_back();  // the brace
  for (const Param& member : members) {
    if (object.back() != '{') object += ',';
    writeJsonString(object, member.name);
    object += ':';
    writeJsonString(object, member.value);
  }
  object += '}';
}

}  // namespace

Error invalidParameter(const AnyOperation& operation, ParameterFault fault) {
  return Error{{.kind = ErrorKind::invalidParameter,
                .message = fault.param + " " + fault.what,
                .param = std::move(fault.param),
                .operation = std::string{operation.name}}};
}

const std::string& accountOf(const ClientOptions& client, const RequestOptions& options) noexcept {
  const std::string* const given = givenHeader(client, options, header::connectedAccount);
  return given == nullptr ? accountOption(client, options) : *given;
}

Fault checkNames(std::string_view option, const std::vector<Param>& params) {
  const auto bad = std::ranges::find_if_not(params, &isParamName, &Param::name);
  if (bad == params.end()) return std::nullopt;
  std::string what = "contains an invalid or empty name: ";
  appendQuoted(what, bad->name);
  return ParameterFault{std::string{option}, std::move(what)};
}

Fault checkExtraParams(const AnyOperation& operation, const std::vector<Param>& params) {
  if (auto fault = checkNames("extraParams", params)) return fault;
  for (const Param& param : params) {
    const std::string_view name = std::string_view{param.name}.substr(0, param.name.find('['));
    if (operation.params != nullptr && operation.params->find(name) != nullptr)
      return ParameterFault{"extraParams", "can't contain " + std::string{name} + ": it is a parameter of " +
                                               std::string{operation.name}};
  }
  return std::nullopt;
}

std::string urlOf(const ClientOptions& client, std::string_view path) {
  return baseOf(client, path.size()).append(path);
}

void addParams(HttpRequest& request, BodyEncoding encoding, const std::vector<Param>& params) {
  if (params.empty()) return;
  if (encoding == BodyEncoding::json) return addMembers(request.body, params);
  std::string query;
  std::string& out = encoding == BodyEncoding::form ? request.body : query;
  for (const Param& param : params)
    writeFormPair(out, param.name, param.value);
  if (!query.empty()) request.url += (request.url.find('?') == std::string::npos ? '?' : '&') + query;
}

void addHeaders(HttpRequest& request, BodyEncoding encoding, const RequestDefaults& defaults,
                const RequestOptions& options) {
  const ClientOptions& client = defaults.client();
  constexpr std::size_t ours = 4;
  request.headers.reserve(ours + client.headers.size() + options.headers.size());
  if (!keyIsDue(client, options)) setKey(request, keyOf(client, options).reveal());
  setHeader(request.headers, "User-Agent", defaults.userAgent());
  const std::string& account = accountOption(client, options);
  if (!account.empty()) setHeader(request.headers, header::connectedAccount, account);
  if (encoding != BodyEncoding::none)
    setHeader(request.headers, "Content-Type", std::string{contentType(encoding)});
  for (const Header& header : client.headers)
    setHeader(request.headers, header.name, header.value);
  for (const Header& header : options.headers)
    setHeader(request.headers, header.name, header.value);
}

std::variant<KeyedRequest, Error> buildRequest(const RequestDefaults& defaults, const AnyOperation& operation,
                                               std::string_view id, ConstObjectRef params,
                                               const RequestOptions& options) {
  if (Fault fault = faultIn(defaults, operation, id, params, options))
    return invalidParameter(operation, *std::move(fault));

  KeyedRequest request;
  request.method = operation.method;
  request.url = urlOf(defaults.client(), operation, id);
  addParams(request, operation, params);
  addParams(request, operation.body, options.extraParams);
  addHeaders(request, operation.body, defaults, options);
  return request;
}

}  // namespace tally::detail
