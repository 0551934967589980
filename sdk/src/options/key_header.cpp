#include "options/key_header.h"

#include <utility>

#include "text/ascii.h"
#include "text/find_header.h"

namespace tally::detail {

namespace {

constexpr std::string_view authorization = "Authorization";

}  // namespace

void setHeader(std::vector<Header>& headers, std::string_view name, std::string value) {
  for (Header& header : headers) {
    if (!equalIgnoringCase(header.name, name)) continue;
    header.value = std::move(value);
    return;
  }
  headers.push_back({std::string{name}, std::move(value)});
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
  setHeader(request.headers, authorization, "Bearer " + std::string{key});
}

bool isKeyInHeader(const ClientOptions& client, const RequestOptions& call) noexcept {
  return findHeader(call.headers, authorization) != nullptr ||
         findHeader(client.headers, authorization) != nullptr;
}

const ApiKeyProvider* apiKeyProviderOf(const ClientOptions& client, const RequestOptions& call) noexcept {
  if (!client.apiKeyProvider || call.apiKey || isKeyInHeader(client, call)) return nullptr;
  return &client.apiKeyProvider;
}

}  // namespace tally::detail
