#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/fake/saved_service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"
#include "fake/support/noise.h"
#include "tables/utf8.h"
#include "text/url.h"

// What is saved is JSON in UTF-8, and loads again, whatever text requests, control requests and the program
// itself have put into the service.

namespace tally::fake::detail {

namespace {

namespace json = boost::json;

/// Texts that are hard to save: bytes that are not UTF-8, characters that JSON escapes, and long ones.
class OddText {
 public:
  explicit OddText(std::uint64_t seed) : noise_(seed) {}

  std::string bytes() {
    static const std::vector<std::string> odd{"",
                                              std::string(1, '\0'),
                                              "\xFF",
                                              "\xC3\xBC",
                                              "\xED\xA0\x80",
                                              "\xF0\x9F\x92\xB6",
                                              "\"",
                                              "\\",
                                              "\r\nA: b",
                                              "\x7F",
                                              "pr_1",
                                              "%FF",
                                              "\xC3",
                                              "\xE2\x80\xA8",
                                              "{\"a\":",
                                              "]",
                                              "'",
                                              "a b",
                                              "\xEF\xBB\xBF",
                                              "\\ud800"};
    std::string text;
    for (std::size_t n = noise_.below(4); n > 0; --n)
      text += noise_.below(3) == 0 ? noise_.bytes(6) : odd[noise_.below(odd.size())];
    if (noise_.below(40) == 0) text.append(5'000, 'x');
    return text;
  }
  std::string encoded() {
    std::string text;
    tally::detail::percentEncode(text, bytes());
    return text;
  }
  /// As a request line can contain it.
  std::string pathSegment() { return noise_.below(2) == 0 ? encoded() : noise_.bytes(8); }
  /// A JSON string, valid or not: raw bytes, or escapes, possibly of lone surrogates.
  std::string quoted() {
    switch (noise_.below(4)) {
      case 0:
        return '"' + bytes() + '"';
      case 1:
        return R"("\ud83d)" + std::string{noise_.below(2) == 0 ? R"(\ude00")" : "\""};
      case 2:
        return R"("\u0000\u007f\u2028")";
      default:
        return json::serialize(json::string{utf8()});
    }
  }
  std::string utf8() {
    std::string text = bytes();
    return isUtf8(text) ? text : readable(text);
  }
  std::size_t below(std::size_t bound) { return noise_.below(bound); }

 private:
  test::Noise noise_;
};

class SavedText : public ControlTest {
 protected:
  /// The responses of the control API, and what they contain, must be JSON in UTF-8.
  void expectJson(const HttpResponse& response, const std::string& request) {
    EXPECT_TRUE(isUtf8(response.body)) << request << '\n' << readable(response.body);
    EXPECT_NE(response.status, 500) << request << '\n' << response.body;
    json::error_code failed;
    (void)json::parse(response.body, failed);
    EXPECT_FALSE(failed) << request << '\n' << response.body;
  }

  void request(OddText& text) {
    static const std::vector<std::string> paths{
        "/v1/payment_intents/", "/v1/payment_records/", "/v1/subscriptions/", "/v1/accounts/",
        "/v2/core/accounts/",   "/v1/invoices/",        "/v1/payouts/"};
    std::string url = paths[text.below(paths.size())];
    if (text.below(3) != 0) url += text.pathSegment();
    if (text.below(5) == 0) url += "/report_payment_attempt_failed";
    if (text.below(5) == 0) url += "?query=" + text.encoded() + "&starting_after=" + text.encoded();
    std::string body =
        "description=" + text.encoded() + "&metadata[" + text.encoded() + "]=" + text.encoded();
    if (text.below(2) == 0) body += "&amount=5&currency=usd&quantity=2&failed_at=1";
    if (text.below(4) == 0) body = text.bytes();
    HttpRequest sent = text.below(3) == 0 ? test::get(key, url) : test::post(key, url, body);
    if (text.below(4) == 0)
      sent = test::post(
          key, "/v2/core/accounts",
          R"({"country":)" + text.quoted() + R"(,"metadata":{)" + text.quoted() + ':' + text.quoted() + "}}",
          "application/json");
    if (text.below(4) == 0) sent.headers.push_back({"Service-Account", text.bytes()});
    if (text.below(20) == 0) sent.headers.front().value = "Bearer " + text.bytes();
    expectJson(send(sent), sent.url + '\n' + sent.body);
  }

  void controlRequest(OddText& text) {
    const std::vector<std::pair<std::string, std::string>> requests{
        {"faults", R"({"times":5,"operation":"payouts.create","response":{"status":503,"headers":{"A":)" +
                       text.quoted() + R"(},"body":)" + text.quoted() + "}}"},
        {"faults", R"({"object":)" + text.quoted() + R"(,"params":{)" + text.quoted() + ':' + text.quoted() +
                       R"(},"metadata":{"a":{"contains":)" + text.quoted() + R"(}},"error":"lock_timeout"})"},
        {"faults", R"({"request_headers":{"X":)" + text.quoted() + R"(},"error":"rate_limit",)" +
                       R"("rate_limited_reason":)" + text.quoted() + "}"},
        {"faults", R"({"operation":)" + text.quoted() + R"(,"error":)" + text.quoted() + "}"},
        {"records", R"({"resource":"payment_record","fields":{"description":)" + text.quoted() +
                        R"(,"metadata":{)" + text.quoted() + ':' + text.quoted() +
                        R"(},"customer_details":{)" + text.quoted() + ":[" + text.quoted() + "]}}}"},
        {"records", R"({"resource":"payment_intent","fields":{"id":"pi_)" + text.quoted().substr(1) + "}}"},
        {"limits", R"({"limit":"endpoint_rate","value":900,"country":)" + text.quoted() + R"(,"industry":)" +
                       text.quoted() + "}"},
        {"limits", R"({"limit":)" + text.quoted() + R"(,"operation":)" + text.quoted() + "}"},
        {"durations", R"({"operation":)" + text.quoted() + R"(,"milliseconds":1})"},
        {"locks", R"({"object":)" + text.quoted() + R"(,"milliseconds":20})"},
        {"service/accounts", R"({"country":)" + text.quoted() + R"(,"industry":)" + text.quoted() + "}"},
        {"tokens", R"({"connected_account":)" + text.quoted() + "}"},
        {"verify", R"({"object":)" + text.quoted() + R"(,"body":)" + text.quoted() + "}"}};
    const auto& [path, body] = requests[text.below(requests.size())];
    expectJson(post("/_fake/" + path, body), path + '\n' + body);
  }

  /// What the program itself can put into the service; it may refuse.
  void call(OddText& text) {
    Service& service = first.service;
    const std::vector<std::function<void()>> calls{
        [&] { (void)service.addAccount({.country = text.bytes(), .industry = text.bytes()}); },
        [&] { service.limits().set({.limit = "endpoint_rate", .value = 900, .country = text.bytes()}); },
        [&] { service.limits().set({.limit = "endpoint_rate", .value = 900, .industry = text.bytes()}); },
        [&] { service.faults().inject({.object = text.bytes(), .error = "lock_timeout"}); },
        [&] {
          service.faults().inject({.operation = "payouts.create",
                                   .response = HttpResponse{.status = 503,
                                                            .headers = {{text.bytes(), text.bytes()},
                                                                        {"A", text.bytes()},
                                                                        {"A", text.bytes()}},
                                                            .body = text.bytes()},
                                   .headers = {{"B", text.bytes()}, {"B", text.bytes()}}});
        },
        [&] {
          service.faults().inject({.error = "rate_limit",
                                   .rateLimitedReason = text.bytes(),
                                   .params = {{text.bytes(), text.bytes()}, {"a", text.bytes()}},
                                   .metadata = {{text.bytes(), TextPattern::containing(text.bytes())}},
                                   .requestHeaders = {{"A", text.bytes()}, {"A", TextPattern::any()}}});
        },
        [&] {
          (void)service.insert<PaymentRecord>(key, [&](PaymentRecord& record) {
            record.description = text.bytes();
            record.metadata.insert_or_assign(text.bytes(), text.bytes());
            if (text.below(2) == 0) record.customerDetails = RawJson{text.bytes()};
            if (text.below(2) == 0) record.shippingDetails = RawJson{'[' + text.quoted() + ']'};
            if (text.below(4) == 0) record.id = Id<PaymentRecord>{"pr_" + text.bytes()};
          });
        },
        [&] { (void)service.holds().lockObject(key, text.bytes()); }};
    try {
      calls[text.below(calls.size())]();
    } catch (const std::invalid_argument& refusal) {
      EXPECT_TRUE(isUtf8(refusal.what()));
    }
  }

  void expectSaved() {
    const HttpResponse exported = get("/_fake/export");
    ASSERT_EQ(exported.status, 200);
    expectJson(exported, "export");
    const std::string saved = exportJson(first.service);
    ASSERT_EQ(exported.body, saved);
    const Service restored = importJson(saved);
    ASSERT_EQ(exportJson(restored), saved);
    EXPECT_EQ(restored.faults().pending(), first.service.faults().pending());
  }
};

TEST_F(SavedText, IsJsonWhateverRequestsContain) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    OddText text{seed};
    for (int n = 0; n < 40; ++n) {
      request(text);
      controlRequest(text);
      call(text);
    }
    for (const char* path : {"usage", "requests", "faults", "holds", "objects", "accounts", "clock"})
      expectJson(get(std::string{"/_fake/"} + path), path);
    first.service.clock()->advance(std::chrono::minutes{1});
    ASSERT_NO_FATAL_FAILURE(expectSaved()) << "seed " << seed;
    (void)post("/_fake/reset");
  }
}

TEST_F(SavedText, OmitsCountsForIdentifiersThatAreNotUtf8) {
  EXPECT_EQ(test::errorOf(postForm("/v1/payment_intents/%FF", "description=a")), "404 resource_missing");
  const HttpResponse usage = get("/_fake/usage");
  EXPECT_TRUE(isUtf8(usage.body));
  EXPECT_EQ(usage.body.find("payment_intent_updates"), std::string::npos);
  expectSaved();
}

}  // namespace

}  // namespace tally::fake::detail
