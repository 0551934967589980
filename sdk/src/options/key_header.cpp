#include "options/key_header.h"

#include <utility>

#include "text/ascii.h"
#include "text/find_header.h"
#include "text/wipe.h"

namespace tally::detail {

namespace {

constexpr std::string_view authorization = "Authorization";
constexpr std::string_view scheme = "Bearer ";

/// Whether the client sends its calls with that header. With a provider, no key is known to be the client's.
bool isHeaderOfClient(const ClientOptions& client, std::string_view value) noexcept {
  if (const std::string* own = findLastHeader(client.headers, authorization)) return value == *own;
  return value.starts_with(scheme) && value.substr(scheme.size()) == client.apiKey.reveal();
}

}  // namespace

void setHeader(std::vector<Header>& headers, std::string_view name, std::string value) {
  for (Header& header : headers) {
    if (!equalIgnoringCase(header.name, name)) continue;
    wipe(header.value);  // it may be a key
    header.value = std::move(value);
    return;
  }
  headers.emplace_back(std::string{name}, std::move(value));
}

std::optional<ParameterFault> checkKey(std::string_view option, std::string_view key) {
  if (key.empty())
    return ParameterFault{std::string{option}, "is empty; use a secret API key or an OAuth access token"};
  if (isHeaderText(key)) return std::nullopt;
  return ParameterFault{std::string{option}, "contains a line break or a control character"};
}

const ApiKey& keyOf(const ClientOptions& client, const RequestOptions& call) noexcept {
  return call.apiKey ? *call.apiKey : client.apiKey;
}

void setKey(HttpRequest& request, std::string_view key) {
  std::string value;
  value.reserve(scheme.size() + key.size());
  value.append(scheme).append(key);
  setHeader(request.headers, authorization, std::move(value));
}

void wipeKey(std::vector<Header>& headers) noexcept {
  for (Header& header : headers)
    if (equalIgnoringCase(header.name, authorization)) return wipe(header.value);
}

const std::string* givenHeader(const ClientOptions& client, const RequestOptions& call,
                               std::string_view name) noexcept {
  const std::string* const ofCall = findLastHeader(call.headers, name);
  return ofCall == nullptr ? findLastHeader(client.headers, name) : ofCall;
}

/// A header of the client, like its provider, represents its key, and replaces that of a call.
bool usesKeyOfClient(const ClientOptions& client, const RequestOptions& call) noexcept {
  if (const std::string* given = givenHeader(client, call, authorization))
    return isHeaderOfClient(client, *given);
  return !call.apiKey || call.apiKey->isSameAs(client.apiKey);
}

bool isKeyInHeader(const ClientOptions& client, const RequestOptions& call) noexcept {
  return givenHeader(client, call, authorization) != nullptr;
}

const ApiKeyProvider* apiKeyProviderOf(const ClientOptions& client, const RequestOptions& call) noexcept {
  if (!client.apiKeyProvider || call.apiKey || isKeyInHeader(client, call)) return nullptr;
  return &client.apiKeyProvider;
}

}  // namespace tally::detail
