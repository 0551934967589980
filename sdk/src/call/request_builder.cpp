#include "call/request_builder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <tally/version.h>

#include "call/attempt_key.h"
#include "call/options_check.h"
#include "codec/form_writer.h"
#include "codec/json_writer.h"
#include "schema/cursor.h"
#include "text/ascii.h"
#include "text/url.h"
#include "wire.h"

namespace tally::detail {

namespace {

constexpr std::string_view idPlaceholder = "{id}";

using Fault = std::optional<ParameterFault>;

Fault checkBaseUrl(std::string_view url) {
  if (url.empty()) return ParameterFault{"baseUrl", "is missing: set it to the address of the service"};
  if (!isUrlText(url)) return ParameterFault{"baseUrl", "contains a space or a control character"};
  if (std::ranges::none_of(url, [](char c) { return c == '?' || c == '#'; })) return std::nullopt;
  return ParameterFault{"baseUrl", "contains '?' or '#', so no path can be appended"};
}

/// Whether a header delimits the body, which is up to the transport: with a wrong length, the rest of the
/// body would pass as another request.
bool endsBody(std::string_view name) {
  return equalIgnoringCase(name, "Content-Length") || equalIgnoringCase(name, "Transfer-Encoding");
}

Fault checkHeaders(const std::vector<Header>& headers) {
  for (const Header& header : headers) {
    if (!isHeaderName(header.name)) return ParameterFault{"headers", "contains an invalid header name"};
    if (endsBody(header.name))
      return ParameterFault{"headers", "can't contain " + header.name + ": the transport sets it"};
    if (!isHeaderText(header.value))
      return ParameterFault{"headers",
                            "contains a line break or a control character in the value of " + header.name};
  }
  return std::nullopt;
}

Fault checkAccount(std::string_view account) {
  if (isHeaderText(account)) return std::nullopt;
  return ParameterFault{"connectedAccount", "contains a line break or a control character"};
}

template <class... Checks>
Fault firstOf(const Checks&... checks) {
  Fault fault;
  (void)((fault = checks()) || ...);
  return fault;
}

std::string url(const ClientOptions& client, const AnyOperation& operation, std::string_view id) {
  std::string result;
  result.reserve(client.baseUrl.size() + operation.path.size() + id.size());
  result = client.baseUrl;
  if (result.ends_with('/')) result.pop_back();
  const std::size_t at = operation.path.find(idPlaceholder);
  result += operation.path.substr(0, at);
  if (at == std::string_view::npos) return result;
  percentEncode(result, id);
  result += operation.path.substr(at + idPlaceholder.size());
  return result;
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

}  // namespace

Error invalidParameter(const AnyOperation& operation, ParameterFault fault) {
  return Error{{.kind = ErrorKind::invalidParameter,
                .message = fault.param + " " + fault.what,
                .param = std::move(fault.param),
                .operation = std::string{operation.name}}};
}

std::variant<HttpRequest, Error> buildRequest(const ClientOptions& client, const AnyOperation& operation,
                                              std::string_view id, ConstObjectRef params,
                                              const RequestOptions& options) {
  const std::string& key = options.apiKey ? *options.apiKey : client.apiKey;
  const std::string& account = accountOf(client, options);
  const bool keyIsDue = client.apiKeyProvider && !options.apiKey;  // set before each attempt, or by a header
  const bool takesId = operation.path.find(idPlaceholder) != std::string_view::npos;
  Fault fault =
      firstOf([&] { return takesId ? checkId("id", operation.resource->idPrefix, id) : std::nullopt; },
              [&] { return params ? checkParams(params) : std::nullopt; },
              [&] { return checkBaseUrl(client.baseUrl); },
              [&] { return keyIsDue ? std::nullopt : checkKey("apiKey", key); },
              [&] { return checkAccount(account); }, [&] { return checkOptions(options); },
              [&] { return checkHeaders(client.headers); }, [&] { return checkHeaders(options.headers); });
  if (fault) return invalidParameter(operation, *std::move(fault));

  HttpRequest request{.method = operation.method, .url = url(client, operation, id)};
  addParams(request, operation, params);
  constexpr std::size_t ours = 4;
  request.headers.reserve(ours + client.headers.size() + options.headers.size());
  if (!keyIsDue) setKey(request, key);
  setHeader(request.headers, "User-Agent", std::string{"tally/"} + std::string{version});
  if (!account.empty()) setHeader(request.headers, header::connectedAccount, account);
  if (operation.body != BodyEncoding::none)
    setHeader(request.headers, "Content-Type", std::string{contentType(operation.body)});
  for (const Header& header : client.headers)
    setHeader(request.headers, header.name, header.value);
  for (const Header& header : options.headers)
    setHeader(request.headers, header.name, header.value);
  return request;
}

}  // namespace tally::detail
