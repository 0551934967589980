#include "options/options_check.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "text/ascii.h"

namespace tally::detail {

namespace {

using Milliseconds = std::chrono::milliseconds;
using Fault = std::optional<ParameterFault>;

/// NaN fails, as it fails every comparison.
template <class Number>
Fault atLeastZero(std::string_view option, Number value) {
  if (value >= Number{0}) return std::nullopt;
  return ParameterFault{std::string{option}, "must be at least 0, not " + std::to_string(value)};
}

Fault atLeastZero(std::string_view option, Milliseconds value) {
  if (value >= Milliseconds{0}) return std::nullopt;
  return ParameterFault{std::string{option},
                        "must be at least 0, not " + std::to_string(value.count()) + " ms"};
}

Fault moreThanZero(std::string_view option, Milliseconds value) {
  if (value > Milliseconds{0}) return std::nullopt;
  return ParameterFault{std::string{option},
                        "must be more than 0, not " + std::to_string(value.count()) + " ms"};
}

Fault exclusive(const ClientOptions& options) {
  if (options.transport != nullptr && options.http != CurlTransportOptions{})
    return ParameterFault{"http",
                          "has no effect on `transport`: pass the settings to that transport instead"};
  if (options.apiKeyProvider && !options.apiKey.empty())
    return ParameterFault{"apiKeyProvider", "can't be set together with apiKey"};
  return std::nullopt;
}

Fault token(std::string_view option, std::string_view text) {
  if (text.empty() || isHeaderName(text)) return std::nullopt;  // RFC 9110: both are tokens
  return ParameterFault{std::string{option}, "contains a character that `User-Agent` does not permit"};
}

Fault named(const Application& application) {
  if (!application.name.empty() || application.version.empty()) return std::nullopt;
  return ParameterFault{"application.version", "needs application.name"};
}

/// Whether a header delimits the body, which is up to the transport: with a wrong length, the rest of the
/// body would pass as another request.
bool endsBody(std::string_view name) {
  return equalIgnoringCase(name, "Content-Length") || equalIgnoringCase(name, "Transfer-Encoding");
}

Fault faultIn(const ClientOptions& options) {
  for (const Fault& fault : {
           moreThanZero("timeout", options.timeout),
           moreThanZero("backoff.initial", options.backoff.initial),
           moreThanZero("backoff.cap", options.backoff.cap),
           atLeastZero("backoff.retryAfterCap", options.backoff.retryAfterCap),
           atLeastZero("retryBudget.maxTokens", options.retryBudget.maxTokens),
           atLeastZero("retryBudget.tokensPerSuccess", options.retryBudget.tokensPerSuccess),
           atLeastZero("maxNetworkRetries", options.maxNetworkRetries),
           atLeastZero("readsUsedBefore.own", options.readsUsedBefore.own),
           atLeastZero("readsUsedBefore.onBehalf", options.readsUsedBefore.onBehalf),
           atLeastZero("readsUsedBefore.otherKeys", options.readsUsedBefore.otherKeys),
           token("application.name", options.application.name),
           token("application.version", options.application.version),
           named(options.application),
           exclusive(options),
       })
    if (fault) return fault;
  return std::nullopt;
}

}  // namespace

void checkOptions(const ClientOptions& options) {
  if (const Fault fault = faultIn(options)) throw std::invalid_argument{fault->param + " " + fault->what};
}

Fault checkBaseUrl(std::string_view url) {
  if (url.empty()) return ParameterFault{"baseUrl", "is missing: set it to the address of the service"};
  if (!isUrlText(url)) return ParameterFault{"baseUrl", "contains a space or a control character"};
  if (std::ranges::none_of(url, [](char c) { return c == '?' || c == '#'; })) return std::nullopt;
  return ParameterFault{"baseUrl", "contains '?' or '#', so no path can be appended"};
}

Fault checkAccount(std::string_view account) {
  if (isHeaderText(account)) return std::nullopt;
  return ParameterFault{"connectedAccount", "contains a line break or a control character"};
}

Fault checkHeaders(std::string_view option, const std::vector<Header>& headers) {
  const auto fault = [&](std::string what) { return ParameterFault{std::string{option}, std::move(what)}; };
  for (const Header& header : headers) {
    if (!isHeaderName(header.name)) return fault("contains an invalid header name");
    if (endsBody(header.name)) return fault("can't contain " + header.name + ": the transport sets it");
    if (!isHeaderText(header.value))
      return fault("contains a line break or a control character in the value of " + header.name);
  }
  return std::nullopt;
}

std::optional<ParameterFault> checkOptions(const RequestOptions& options) {
  if (options.timeout)
    if (auto fault = moreThanZero("timeout", *options.timeout)) return fault;
  if (options.totalTimeout)
    if (auto fault = moreThanZero("totalTimeout", *options.totalTimeout)) return fault;
  return options.maxNetworkRetries ? atLeastZero("maxNetworkRetries", *options.maxNetworkRetries)
                                   : std::nullopt;
}

}  // namespace tally::detail
