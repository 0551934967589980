#include <charconv>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <tally/options.h>

#include "options/key_header.h"
#include "options/options_check.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

/// Repeats no value: it may be a key in the wrong variable.
[[noreturn]] void refuse(std::string_view variable, std::string_view what) {
  throw std::invalid_argument{std::string{variable}.append(" ").append(what)};
}

/// Empty if it is not set.
std::string_view valueOf(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

std::string_view required(const char* variable, std::string_view meaning) {
  const std::string_view value = valueOf(variable);
  if (value.empty()) refuse(variable, std::string{"is not set: set it to "}.append(meaning));
  return value;
}

template <class Number>
Number wholeNumber(const char* variable, std::string_view value, Number least) {
  Number number{};
  const char* const begin = value.data();
  const char* const end = begin + value.size();
  const auto [rest, problem] = std::from_chars(begin, end, number);
  if (problem != std::errc{} || rest != end || number < least)
    refuse(variable, "must be a whole number of at least " + std::to_string(least));
  return number;
}

void check(const char* variable, const std::optional<detail::ParameterFault>& fault) {
  if (fault) refuse(variable, fault->what);
}

void readApiKey(ClientOptions& options) {
  if (!options.apiKey.empty() || options.apiKeyProvider) return;
  constexpr auto variable = "TALLY_API_KEY";
  const std::string_view key = required(variable, "a secret API key or an OAuth access token");
  check(variable, detail::checkKey(variable, key));
  options.apiKey = key;
}

void readBaseUrl(ClientOptions& options) {
  if (!options.baseUrl.empty()) return;
  constexpr auto variable = "TALLY_BASE_URL";
  const std::string_view url = required(variable, "the address of the service");
  check(variable, detail::checkBaseUrl(url));
  if (!url.starts_with("https://") && !url.starts_with("http://"))
    refuse(variable, "must begin with https:// or http://");
  options.baseUrl = url;
}

void readAccount(ClientOptions& options) {
  constexpr auto variable = "TALLY_CONNECTED_ACCOUNT";
  const std::string_view account = valueOf(variable);
  if (!options.connectedAccount.empty() || account.empty()) return;
  check(variable, detail::checkAccount(account));
  options.connectedAccount = account;
}

void readRetries(ClientOptions& options) {
  constexpr auto variable = "TALLY_MAX_NETWORK_RETRIES";
  const std::string_view retries = valueOf(variable);
  if (options.maxNetworkRetries == ClientOptions{}.maxNetworkRetries && !retries.empty())
    options.maxNetworkRetries = wholeNumber(variable, retries, 0);
}

void readTimeout(ClientOptions& options) {
  constexpr auto variable = "TALLY_TIMEOUT";
  constexpr auto longest = std::chrono::floor<std::chrono::seconds>(std::chrono::milliseconds::max());
  const std::string_view timeout = valueOf(variable);
  if (options.timeout != ClientOptions{}.timeout || timeout.empty()) return;
  const auto seconds = wholeNumber<std::chrono::seconds::rep>(variable, timeout, 1);
  if (seconds > longest.count()) refuse(variable, "is too long");
  options.timeout = std::chrono::seconds{seconds};
}

void readCaFile(ClientOptions& options) {
  const std::string_view file = valueOf("TALLY_CA_FILE");
  const bool isOpen =
      options.transport == nullptr && options.http.caFile.empty() && options.http.caPem.empty();
  if (isOpen && !file.empty()) options.http.caFile = file;
}

}  // namespace

ClientOptions ClientOptions::fromEnvironment() {
  return fromEnvironment({});
}

ClientOptions ClientOptions::fromEnvironment(ClientOptions given) {
  readApiKey(given);
  readBaseUrl(given);
  readAccount(given);
  readRetries(given);
  readTimeout(given);
  readCaFile(given);
  return given;
}

}  // namespace tally
