#include "call/request_defaults.h"

#include <tally/version.h>

#include "options/key_header.h"
#include "options/options_check.h"

namespace tally::detail {

namespace {

using Fault = std::optional<ParameterFault>;

std::string userAgentOf(const Application& application) {
  std::string products = "tally/" + std::string{version};
  if (!application.name.empty()) products.append(" ").append(application.name);
  if (!application.version.empty()) products.append("/").append(application.version);
  return products;
}

}  // namespace

RequestDefaults::RequestDefaults(const ClientOptions& client)
    : client_(client),
      userAgent_(userAgentOf(client.application)),
      baseUrl_(checkBaseUrl(client.baseUrl)),
      key_(client.apiKeyProvider ? std::nullopt : checkKey("apiKey", client.apiKey.reveal())),
      account_(checkAccount(client.connectedAccount)),
      headers_(checkHeaders("headers", client.headers)) {}

Fault RequestDefaults::checkKeyOf(const RequestOptions& call) const {
  return call.apiKey ? checkKey("apiKey", call.apiKey->reveal()) : key_;
}

Fault RequestDefaults::checkAccountOf(const RequestOptions& call) const {
  return call.connectedAccount ? checkAccount(*call.connectedAccount) : account_;
}

Fault RequestDefaults::check(const RequestOptions& call) const {
  if (baseUrl_) return baseUrl_;
  if (Fault fault = checkKeyOf(call)) return fault;
  if (Fault fault = checkAccountOf(call)) return fault;
  if (Fault fault = checkOptions(call)) return fault;
  if (headers_) return headers_;
  return checkHeaders("headers", call.headers);
}

}  // namespace tally::detail
