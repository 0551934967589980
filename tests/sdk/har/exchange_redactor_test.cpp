#include "har/exchange_redactor.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "har/har_text.h"
#include "sdk/support/any_exchange.h"
#include "text/base64.h"

namespace tally::detail {

namespace {

using testing::HasSubstr;
using testing::Not;

std::string recorded(const Exchange& exchange, std::vector<std::string> more = {}) {
  std::string text;
  appendHarEntry(text, ExchangeRedactor{std::move(more)}.redacted(exchange));
  return text;
}

Exchange withHeaders(std::vector<Header> headers) {
  return {.method = "GET", .url = "/v1/payouts", .requestHeaders = std::move(headers)};
}

std::string headerOf(ExchangeRedactor& redactor, const std::string& authorization) {
  return redactor.redacted(withHeaders({{"Authorization", authorization}})).requestHeaders.front().value;
}

TEST(ExchangeRedactor, ReplacesEachKeyWithADistinctPlaceholder) {
  ExchangeRedactor redactor;
  EXPECT_EQ(headerOf(redactor, "Bearer sk_live_a1"), "Bearer sk_live_recorded1");
  EXPECT_EQ(headerOf(redactor, "Bearer sk_test_a1"), "Bearer sk_test_recorded1");
  EXPECT_EQ(headerOf(redactor, "Bearer sk_test_b2"), "Bearer sk_test_recorded2");
  EXPECT_EQ(headerOf(redactor, "bearer sk_live_a1"), "bearer sk_live_recorded1");
  EXPECT_EQ(headerOf(redactor, "Bearer oat_live_c3"), "Bearer oat_live_recorded1");
  EXPECT_EQ(headerOf(redactor, "Bearer az_live_d4"), "Bearer az_live_recorded1");
  EXPECT_EQ(headerOf(redactor, "Bearer eyJhbGciOi.x.y"), "Bearer token_recorded1");
  EXPECT_EQ(headerOf(redactor, "Basic " + encodeBase64("sk_test_a1:")),
            "Basic " + encodeBase64("sk_test_recorded1:"));
  EXPECT_EQ(headerOf(redactor, "Basic " + encodeBase64("sk_test_a1:hunter22")),
            "Basic " + encodeBase64("sk_test_recorded1:[redacted]"));
  EXPECT_EQ(headerOf(redactor, "Digest username=a"), "Digest [redacted]");
  EXPECT_EQ(headerOf(redactor, "sk_test_a1"), "[redacted]");
  EXPECT_EQ(headerOf(redactor, "sk_test_a1 x"), "sk_test_recorded1 [redacted]");
  EXPECT_EQ(headerOf(redactor, "Basic ?"), "Basic [redacted]");
  EXPECT_EQ(headerOf(redactor, ""), "");
}

TEST(ExchangeRedactor, KeepsThePlaceholdersOfAnEarlierRecording) {
  ExchangeRedactor redactor;
  EXPECT_EQ(headerOf(redactor, "Bearer sk_test_recorded7"), "Bearer sk_test_recorded7");
}

TEST(ExchangeRedactor, ReplacesKeysThatOnlyEndLikeAPlaceholder) {
  ExchangeRedactor redactor;
  EXPECT_EQ(headerOf(redactor, "Bearer sk_live_a1_recorded7"), "Bearer sk_live_recorded1");
  EXPECT_EQ(headerOf(redactor, "Bearer a1_recorded7"), "Bearer token_recorded1");
  EXPECT_EQ(headerOf(redactor, "Bearer recorded7"), "Bearer token_recorded2");
  EXPECT_EQ(headerOf(redactor, "Bearer token_recorded"), "Bearer token_recorded3");
}

TEST(ExchangeRedactor, RedactsCookiesAndOtherCredentials) {
  const std::string text =
      recorded({.method = "GET",
                .url = "/",
                .requestHeaders = {{"Cookie", "session=c0ffee"}, {"X-Api-Key", "k3y-text"}},
                .responseHeaders = {{"set-cookie", "session=c0ffee"}},
                .responseBody = "k3y-text again"});
  EXPECT_THAT(text, Not(HasSubstr("c0ffee")));
  EXPECT_THAT(text, Not(HasSubstr("k3y-text")));
}

TEST(ExchangeRedactor, RedactsCredentialsWithoutASchemeWhereverTheyAreRepeated) {
  const Exchange exchange{
      .method = "POST",
      .url = "/v1/payouts?note=rawsecrettoken12345",
      .requestHeaders = {{"X-Trace", "rawsecrettoken12345"}, {"Authorization", "rawsecrettoken12345"}},
      .requestBody = "note=rawsecrettoken12345"};
  EXPECT_THAT(recorded(exchange), Not(HasSubstr("rawsecrettoken12345")));
}

TEST(ExchangeRedactor, LeavesAnExchangeWithoutSecretsUnchanged) {
  const Exchange plain{
      .method = "POST",
      .url = "https://api.example.com/v1/payouts/po_1?limit=3&created%5Bgte%5D=1767225600",
      .requestHeaders = {{"Idempotency-Key", "order-1"}, {"Service-Account", "acct_1"}},
      .requestBody = "amount=500&currency=eur&description=Basic+plan",
      .status = 200,
      .responseHeaders = {{"Request-Id", "req_1"}, {"Content-Type", "application/json"}},
      .responseBody = "{ \"id\": \"po_1\",\n \"description\": \"Basic plan \\\"A\\\"\", \"amount\": 500 }"};
  EXPECT_EQ(ExchangeRedactor{}.redacted(plain), plain);
}

TEST(ExchangeRedactor, RedactsFieldsByName) {
  const Exchange exchange{
      .method = "POST",
      .url = "/v1/payouts?description=visible1&limit=3",
      .requestHeaders = {{"Content-Type", "application/x-www-form-urlencoded"}},
      .requestBody = "card[number]=4000&card%5Bcvc%5D=987&exp_month=11&metadata[note]=visible2&amount=5",
      .status = 200,
      .responseHeaders = {{"Content-Type", "application/json"}},
      .responseBody = R"({"card":{"exp_year":2031},"description":{"a":["visible3"]},"amount":5})"};
  const Exchange cleaned = ExchangeRedactor{{"description", "note"}}.redacted(exchange);
  EXPECT_EQ(cleaned.url, "/v1/payouts?description=[redacted]&limit=3");
  EXPECT_EQ(cleaned.requestBody,
            "card[number]=[redacted]&card%5Bcvc%5D=[redacted]&exp_month=[redacted]&"
            "metadata[note]=[redacted]&amount=5");
  EXPECT_EQ(cleaned.responseBody,
            R"({"card":{"exp_year":"[redacted]"},"description":"[redacted]","amount":5})");
}

/// A fragment may have fields like a query.
TEST(ExchangeRedactor, RedactsFieldsInTheFragmentOfAUrl) {
  const std::string text =
      recorded({.method = "GET",
                .url = "/a?b=1#api_key=secret01",
                .responseHeaders = {{"Location", "https://x/y#access_token=secret02"},
                                    {"Content-Location", "/y?state=a#token=secret03&b=2"}}});
  EXPECT_THAT(text, Not(HasSubstr("secret0")));
  EXPECT_THAT(text, HasSubstr("/y?state=a#token=[redacted]&b=2"));
}

TEST(ExchangeRedactor, RedactsAFormWithoutAContentType) {
  const Exchange cleaned =
      ExchangeRedactor{}.redacted({.method = "POST", .url = "/", .requestBody = "cvc=987&amount=5"});
  EXPECT_EQ(cleaned.requestBody, "cvc=[redacted]&amount=5");
}

TEST(ExchangeRedactor, RedactsFieldsWhateverTheCaseOfTheMediaType) {
  const Exchange cleaned = ExchangeRedactor{}.redacted(
      {.method = "POST",
       .url = "/",
       .requestHeaders = {{"Content-Type", "Application/X-WWW-Form-URLencoded; charset=UTF-8"}},
       .requestBody = "cvc=987&amount=5"});
  EXPECT_EQ(cleaned.requestBody, "cvc=[redacted]&amount=5");
}

/// Recipients ignore blanks around the value of a header.
TEST(ExchangeRedactor, RedactsCredentialsThatAreRepeatedWithoutTheBlanksAroundThem) {
  const std::string text = recorded(
      {.method = "GET",
       .url = "/",
       .requestHeaders = {{"Authorization", "Bearer rawsecrettoken1 "}, {"X-Api-Key", " rawsecrettoken2"}},
       .responseBody = "no rawsecrettoken1, no rawsecrettoken2"});
  EXPECT_THAT(text, Not(HasSubstr("rawsecrettoken")));
  EXPECT_THAT(text, HasSubstr("no token_recorded1, no [redacted]"));
}

TEST(ExchangeRedactor, RecordsTheSizeOfBodiesThatItCannotSearch) {
  const Exchange cleaned = ExchangeRedactor{}.redacted({.method = "POST",
                                                        .url = "/",
                                                        .requestHeaders = {{"Content-Encoding", "gzip"}},
                                                        .requestBody = "\x1F\x8B sk_live_1",
                                                        .status = 200,
                                                        .responseBody = R"({"cvc":98)"});
  EXPECT_EQ(cleaned.requestBody, "[12 bytes, gzip]");
  EXPECT_EQ(cleaned.responseBody, "[9 bytes, malformed JSON]");
}

TEST(ExchangeRedactor, RedactsSecretsThatAppearBeforeTheFieldThatRevealsThem) {
  const Exchange cleaned = ExchangeRedactor{}.redacted({.method = "GET",
                                                        .url = "/v1/hunter2hunter2",
                                                        .status = 200,
                                                        .responseBody = R"({"password":"hunter2hunter2"})"});
  EXPECT_EQ(cleaned.url, "/v1/[redacted]");
}

/// Secrets in every part of an exchange, between any other bytes.
RC_GTEST_PROP(ExchangeRedactor, LeavesNoSecretInAnExchange, ()) {
  const std::vector<std::string> secrets{"sk_live_Pl4nted", "sk_test_Pl4nted", "oat_live_Pl4nted",
                                         "4242424242424242", "5555 5555 5555 4444"};
  const auto plant = [&](std::string text) {
    const std::string_view separator =
        *rc::gen::elementOf(std::vector<std::string_view>{" ", "\"", "/", "=", "\n"});
    for (int left = *rc::gen::inRange(0, 3); left > 0; --left)
      (text += separator) += *rc::gen::elementOf(secrets), text += separator;
    return text;
  };
  Exchange exchange = anyExchange();
  exchange.requestHeaders.push_back({"Authorization", "Bearer sk_live_Pl4nted"});
  exchange.requestHeaders.push_back({"X-Note", plant("note")});
  exchange.responseHeaders.push_back({"authorization", "Basic " + encodeBase64("sk_test_Pl4nted:")});
  exchange.responseHeaders.push_back({"X-Echo", encodeBase64("sk_test_Pl4nted:")});
  exchange.url = plant("/v1/payouts");
  exchange.requestBody = plant(exchange.requestBody);
  exchange.responseBody = *rc::gen::arbitrary<bool>()
                              ? plant(exchange.responseBody)
                              : R"({"a":"\u0073k_live_Pl4nted","b":["4242424242424242"]})";
  exchange.failure = plant("failed");
  exchange.upstream = HttpResponse{.status = 200, .body = plant("{}")};
  const std::string text = recorded(exchange);
  std::string decoded;
  for (std::size_t at = text.find(R"("text":")"); at != std::string::npos;
       at = text.find(R"("text":")", at + 1)) {
    const std::size_t begin = at + 8;
    decoded += decodeBase64(text.substr(begin, text.find('"', begin) - begin)).value_or("") + '\n';
  }
  for (const std::string& secret :
       {std::string{"Pl4nted"}, secrets[3], secrets[4], encodeBase64("sk_test_Pl4nted:")}) {
    RC_ASSERT(text.find(secret) == std::string::npos);
    RC_ASSERT(decoded.find(secret) == std::string::npos);
  }
}

}  // namespace

}  // namespace tally::detail
