// Wherever an exchange repeats the key that its request is sent with, a recording does not show it, but its
// name, which stays when the recording is recorded again.
#include <algorithm>
#include <string>
#include <vector>

#include "fuzz.h"
#include "har/exchange_redactor.h"
#include "har/har_text.h"
#include "text/base64.h"
#include "text/url.h"

namespace tally::fuzz {

namespace {

using detail::Exchange;

constexpr std::string_view key = "sk_live_51SecretOfThisCustomer";
constexpr char mark = '\x01';  // where an input repeats the key
constexpr std::string_view types[] = {"application/json", "application/x-www-form-urlencoded", "text/plain",
                                      "multipart/form-data; boundary=a"};

/// The text with the key in place of each mark.
std::string withKey(std::string_view text) {
  std::string out;
  for (const char c : text)
    c == mark ? out += key : out += c;
  return out;
}

std::vector<Header> headers(Choices& choices) {
  std::vector<Header> headers;
  for (std::size_t left = choices.below(4); left > 0; --left) {
    std::string name = withKey(choices.until(':'));
    headers.push_back({std::move(name), withKey(choices.until('\n'))});
  }
  if (choices.oneIn(2)) headers.push_back({"Content-Type", std::string{choices.oneOf(types)}});
  return headers;
}

Exchange exchangeOf(std::string_view input) {
  Choices choices{input};
  Exchange exchange{.method = "POST", .status = 200};
  const std::string credentials = choices.oneIn(4) ? "Basic " + detail::encodeBase64(std::string{key} + ':')
                                                   : "Bearer " + std::string{key};
  exchange.requestHeaders = headers(choices);
  exchange.responseHeaders = headers(choices);
  exchange.requestHeaders.push_back({"Authorization", credentials});
  exchange.url = withKey(choices.until('\n'));
  exchange.failure = withKey(choices.until('\n'));
  exchange.requestBody = withKey(choices.until('\0'));
  exchange.responseBody = withKey(choices.rest());
  return exchange;
}

void checkHidden(std::string_view text) {
  require(text.find(key) == std::string_view::npos, "a recording does not show the key");
  const auto decoded = detail::formDecode(text);
  require(!decoded || decoded->find(key) == std::string::npos, "a recording does not show the key, encoded");
}

void checkHidden(const Exchange& exchange) {
  for (const std::string* text :
       {&exchange.url, &exchange.failure, &exchange.requestBody, &exchange.responseBody})
    checkHidden(*text);
  for (const auto* headers : {&exchange.requestHeaders, &exchange.responseHeaders})
    for (const Header& header : *headers)
      checkHidden(header.name + ':' + header.value);
  std::string entry;
  detail::appendHarEntry(entry, exchange);
  require(entry.find(key) == std::string::npos, "an entry of a recording does not show the key");
}

}  // namespace

void test(std::string_view input) {
  const Exchange exchange = exchangeOf(input);
  detail::ExchangeRedactor redactor;
  const Exchange redacted = redactor.redacted(exchange);
  checkHidden(redacted);
  detail::ExchangeRedactor other;
  require(other.redacted(exchange) == redacted, "what is redacted depends on the exchange only");
  const Header& credentials = redacted.requestHeaders.back();
  if (credentials.name != "Authorization") return;  // a secret is a part of this word
  require(redactor.redacted(redacted).requestHeaders.back() == credentials,
          "a recording that is recorded again keeps the name of the key");
}

}  // namespace tally::fuzz
