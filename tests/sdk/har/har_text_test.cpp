#include "har/har_text.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <gtest/gtest.h>

namespace tally::detail {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

json::value entryOf(const Exchange& exchange) {
  std::string text;
  appendHarEntry(text, exchange);
  return json::parse(text);
}

/// Every member that HAR 1.2 requires.
TEST(HarText, ContainsTheMembersThatHarRequires) {
  const json::value entry = entryOf({.startedAt = Instant{1'767'225'600s + 250ms},
                                     .duration = 1'500'000ns,
                                     .method = "POST",
                                     .url = "https://api.example.com/v1/payouts?a=b%20c&expand%5B%5D=d#e",
                                     .requestHeaders = {{"Content-Type", "text/plain"}},
                                     .requestBody = "hello",
                                     .status = 302,
                                     .responseHeaders = {{"Location", "/v1/next"}},
                                     .responseBody = "\xFF"});
  EXPECT_EQ(entry, json::parse(R"({
    "startedDateTime": "2026-01-01T00:00:00.250000000Z",
    "time": 1.5,
    "request": {
      "method": "POST",
      "url": "https://api.example.com/v1/payouts?a=b%20c&expand%5B%5D=d#e",
      "httpVersion": "HTTP/1.1",
      "cookies": [],
      "headers": [{"name": "Content-Type", "value": "text/plain"}],
      "queryString": [{"name": "a", "value": "b c"}, {"name": "expand[]", "value": "d"}],
      "postData": {"mimeType": "text/plain", "text": "hello"},
      "headersSize": -1,
      "bodySize": 5
    },
    "response": {
      "status": 302,
      "statusText": "",
      "httpVersion": "HTTP/1.1",
      "cookies": [],
      "headers": [{"name": "Location", "value": "/v1/next"}],
      "content": {"size": 1, "mimeType": "application/octet-stream", "text": "/w==", "encoding": "base64"},
      "redirectURL": "/v1/next",
      "headersSize": -1,
      "bodySize": 1
    },
    "cache": {},
    "timings": {"send": 0, "wait": 1.5, "receive": 0}
  })"));
}

TEST(HarText, RecordsTheFaultAndTheUpstreamResponse) {
  const json::value entry = entryOf({.method = "GET",
                                     .url = "/",
                                     .failure = "the response was lost",
                                     .fault = "response_lost",
                                     .upstream = HttpResponse{.status = 200, .body = "{}"}});
  EXPECT_EQ(entry.at("response").at("status"), 0);
  EXPECT_EQ(entry.at("response").at("_error"), "the response was lost");
  EXPECT_EQ(entry.at("_fault").at("name"), "response_lost");
  EXPECT_EQ(entry.at("_fault").at("response").at("content").at("text"), "{}");
}

TEST(HarText, IsValidForAnExchangeWithInvalidUtf8) {
  const json::value entry = entryOf({.method = "G\xFF",
                                     .url = "/\xFF?\xFE=%FF",
                                     .requestHeaders = {{"a\xFF", "\xFF"}},
                                     .requestBody = "\xFF",
                                     .failure = "\xFF"});
  const json::value& request = entry.at("request");
  EXPECT_EQ(request.at("method"), "G%FF");
  EXPECT_EQ(request.at("url"), "/%FF?%FE=%FF");
  EXPECT_EQ(request.at("headers"), json::parse(R"([{"name":"a%FF","value":"/w==","_encoding":"base64"}])"));
  EXPECT_EQ(request.at("postData").at("_encoding"), "base64");
}

TEST(HarText, ContainsItsVersionCreatorAndRedactedFields) {
  const std::vector<std::string> redacted{"description"};
  const json::value log = json::parse(harBegin(redacted) + std::string{harEnd}).at("log");
  EXPECT_EQ(log.at("version"), "1.2");
  EXPECT_EQ(log.at("creator").at("name"), "tally");
  EXPECT_EQ(log.at("_redacted"), json::parse(R"(["description"])"));
  EXPECT_EQ(log.at("entries"), json::array{});
}

}  // namespace

}  // namespace tally::detail
