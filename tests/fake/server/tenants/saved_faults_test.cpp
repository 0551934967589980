#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/saved_service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"
#include "format/control_json.h"

// Faults and other settings are saved with everything that they say.

namespace tally::fake::detail {

namespace {

namespace json = boost::json;

using test::messageOf;
using testing::HasSubstr;
using testing::StartsWith;

FaultRule oddRule() {
  return {.operation = "payment_records.report_failed",
          .object = "pr_\xC3\xBC",
          .times = FaultRule::unlimited - 1,
          .response = HttpResponse{.status = 503,
                                   .headers = {{"Set-Cookie", "a"}, {"Set-Cookie", "b"}, {"X-Bytes", "\xFF"}},
                                   .body = std::string{"\0\xFF{", 3}},
          .headers = {{"Via", "1"}, {"Via", "2"}},
          .params = {{"expand[]", "a"}, {"expand[]", TextPattern::containing("\xFE")}, {"\xFF", "c"}},
          .metadata = {{"k", "1"}, {"k", TextPattern::any()}},
          .requestHeaders = {{"Accept", "a"}, {"Accept", TextPattern::containing("\xE9")}, {"accept", "b"}},
          .every = std::numeric_limits<int>::max(),
          .probability = 0.1234567890123456789};
}

class SavedFaults : public ControlTest {
 protected:
  static std::vector<FaultRule> afterLoading(const Service& service) {
    return importJson(exportJson(service)).faults().pending();
  }
  std::string refused(const FaultRule& rule) {
    try {
      first.service.faults().remove(first.service.faults().inject(rule));
      return "accepted";
    } catch (const std::invalid_argument& problem) {
      return problem.what();
    }
  }
  std::string refusedText(const std::string& rule) {
    const HttpResponse response = post("/_fake/faults", rule);
    return response.status == 400 ? messageOf(response) : std::to_string(response.status);
  }
};

TEST_F(SavedFaults, KeepDuplicateNamesAndInvalidUtf8) {
  first.service.faults().inject(oddRule());
  const std::string saved = exportJson(first.service);
  const Service restored = importJson(saved);
  EXPECT_EQ(restored.faults().pending(), std::vector{oddRule()});
  EXPECT_EQ(exportJson(restored), saved);
}

/// What the control API shows of a fault, without what became of it, makes the same fault.
TEST_F(SavedFaults, CanBeInjectedAgainAsListed) {
  first.service.faults().inject(oddRule());
  const HttpResponse listed = get("/_fake/faults");
  json::object shown = told(listed).at("faults").at(0).as_object();
  for (const char* name : {"id", "hits", "from", "until"})
    shown.erase(name);
  ASSERT_EQ(post("/_fake/faults", json::serialize(shown)).status, 200);
  EXPECT_EQ(first.service.faults().pending(), (std::vector{oddRule(), oddRule()}));
}

TEST_F(SavedFaults, StoreUniqueNamesAsMembersOfAnObject) {
  first.service.faults().inject({.error = "api_error",
                                 .headers = {{"B", "1"}, {"A", "2"}},
                                 .params = {{"amount", "5"}, {"currency", TextPattern::absent()}}});
  const std::string saved = exportJson(first.service);
  EXPECT_THAT(saved, HasSubstr(R"("headers":{"B":"1","A":"2"})"));
  EXPECT_THAT(saved, HasSubstr(R"("params":{"amount":"5","currency":{"present":false}})"));
}

TEST_F(SavedFaults, AcceptHeadersAsAnObjectOrAsAnArray) {
  const auto headersOf = [&](const std::string& headers) {
    const std::string id =
        std::to_string(told(post("/_fake/faults", R"({"error":"api_error","headers":)" + headers + '}'))
                           .at("id")
                           .as_int64());
    std::string names;
    const std::vector<FaultRule> present = first.service.faults().pending();
    for (const Header& header : present.back().headers)
      names += header.name + '=' + header.value + ' ';
    (void)send(test::get(key, "/_fake/faults/" + id), "DELETE");
    return names;
  };
  EXPECT_EQ(headersOf(R"({"A":"1","B":"2"})"), "A=1 B=2 ");
  EXPECT_EQ(headersOf(R"([{"name":"A","value":"1"},{"name":"A","value":"2"}])"), "A=1 A=2 ");
  EXPECT_EQ(headersOf(R"([{"name":"A","value":{"base64":"/w=="}}])"), "A=\xFF ");
  EXPECT_EQ(headersOf("[]"), "");
  EXPECT_THAT(refusedText(R"({"error":"api_error","headers":{"A":"1","A":"2"}})"),
              HasSubstr("headers.A: given twice"));
  EXPECT_THAT(refusedText(R"({"error":"api_error","headers":[{"name":"A"}]})"),
              HasSubstr("headers[0].value: missing"));
  EXPECT_THAT(refusedText(R"({"error":"api_error","headers":[{"name":"A","value":{"base64":"?"}}]})"),
              HasSubstr("headers[0].value: expected base64"));
  EXPECT_THAT(refusedText(R"({"error":"api_error","params":[{"name":"a","value":7}]})"),
              HasSubstr("params[0].value: expected"));
}

TEST_F(SavedFaults, CanRespondWithInvalidUtf8) {
  ASSERT_EQ(post("/_fake/faults", R"({"response":{"status":200,"body":{"base64":"AP9h"}}})").status, 200);
  EXPECT_EQ(get(records).body, (std::string{"\0\xFF"
                                            "a",
                                            3}));
  EXPECT_THAT(refusedText(R"({"response":{"body":{"base64":"A"}}})"),
              HasSubstr("response.body: expected base64"));
  EXPECT_THAT(refusedText(R"({"response":{"body":7}})"), HasSubstr("response.body: expected"));
}

TEST_F(SavedFaults, AreRefusedIfTheirResponseCannotBeSent) {
  const auto responding = [](HttpResponse response) { return FaultRule{.response = std::move(response)}; };
  for (const int status : {0, -5, 100, 199, 600, 999'999})
    EXPECT_EQ(refused(responding({.status = status})),
              "the status of a fault rule's response must be from 200 to 599, not " + std::to_string(status));
  for (const char* name : {"", "a b", "a:b", "\xC3\xBC", "a\r\nb"}) {
    EXPECT_THAT(refused({.error = "api_error", .headers = {{name, "x"}}}),
                HasSubstr("is not a valid header name"))
        << name;
    EXPECT_THAT(refused(responding({.status = 200, .headers = {{name, "x"}}})),
                HasSubstr("is not a valid header name"));
  }
  for (const std::string& value : {std::string{"a\r\nb"}, std::string{"a\n"}, std::string{"a\0b", 3}}) {
    EXPECT_THAT(refused({.error = "api_error", .headers = {{"A", value}}}), HasSubstr("control character"));
    EXPECT_THAT(refused(responding({.status = 200, .headers = {{"A", value}}})),
                HasSubstr("control character"));
    EXPECT_THAT(refused({.error = "rate_limit", .rateLimitedReason = value}), HasSubstr("control character"));
  }
  for (const int status : {204, 304})
    EXPECT_THAT(refused(responding({.status = status, .body = "a"})), HasSubstr("can't have a body"));
  EXPECT_EQ(refused(responding({.status = 204})), "accepted");
  EXPECT_EQ(refused(responding({.status = 599, .headers = {{"A", "\xFF\t"}}, .body = "\xFF"})), "accepted");
}

TEST_F(SavedFaults, AreRefusedIfTheyCanNeverApply) {
  EXPECT_THAT(refused({.object = "pr_1", .fault = fake::Fault::emptyPage}), HasSubstr("no object"));
  EXPECT_THAT(refused({.object = "\xFF", .error = "api_error"}), HasSubstr("not UTF-8"));
  EXPECT_THAT(refused({.fault = fake::Fault::reset, .headers = {{"A", "b"}}}), HasSubstr("no response"));
  EXPECT_THAT(refused({.error = "api_error", .requestHeaders = {{"a b", "x"}}}),
              HasSubstr("is not a valid header name"));
  EXPECT_THAT(refused({.error = "api_error", .requestHeaders = {{"A", "x\ny"}}}),
              HasSubstr("control character"));
  EXPECT_THAT(
      refused({.error = "api_error", .requestHeaders = {{"Accept", "x"}, {"ACCEPT", TextPattern::absent()}}}),
      HasSubstr("requires the header to be absent, but also requires"));
  EXPECT_THAT(refused({.error = "api_error",
                       .params = {{"metadata[k]", TextPattern::absent()}},
                       .metadata = {{"k", "x"}}}),
              HasSubstr("requires the parameter to be absent, but also requires"));
}

TEST_F(SavedFaults, AreRefusedWithTheNameOfTheInvalidMember) {
  EXPECT_THAT(refusedText(R"({"response":{"status":100}})"), HasSubstr("response.status: expected"));
  EXPECT_THAT(refusedText(R"({"response":{"status":204,"body":"a"}})"), HasSubstr("body"));
  EXPECT_THAT(refusedText(R"({"response":{"headers":{"a b":"c"}}})"), HasSubstr("response.headers: "));
  EXPECT_THAT(refusedText(R"({"response":{"headers":{"":"c"}}})"), HasSubstr("response.headers: "));
  EXPECT_THAT(refusedText(R"({"response":{"headers":{"a":"c\r\nd: e"}}})"), HasSubstr("response.headers: "));
  EXPECT_THAT(refusedText(R"({"error":"api_error","headers":{"a b":"c"}})"), StartsWith("headers: "));
  EXPECT_THAT(refusedText(R"({"error":"api_error","headers":{"a":"\u0000"}})"), StartsWith("headers: "));
  EXPECT_THAT(refusedText(R"({"error":"rate_limit","rate_limited_reason":"a\nb"})"),
              HasSubstr("rate-limited reason"));
  EXPECT_THAT(refusedText(R"({"fault":"empty_page","object":"pr_1"})"), HasSubstr("object"));
}

/// A file that says so was edited.
TEST(SavedSettings, AreRefusedIfTheyAreDuplicated) {
  Service service{{.duration = std::chrono::nanoseconds{0}}};
  const std::string key = service.addAccount().sandboxKey;
  service.faults().inject({.operation = "files.create", .error = "api_error"});
  (void)service.handle(test::get(key, "/v1/payouts"));
  const json::value saved = json::parse(exportJson(service));
  const auto problem = [](const json::value& edited) {
    try {
      (void)importJson(json::serialize(edited));
      return std::string{"none"};
    } catch (const std::invalid_argument& refusal) {
      return std::string{refusal.what()};
    }
  };
  EXPECT_EQ(problem(saved), "none");
  json::value twoFaults = saved;
  json::array& faults = twoFaults.as_object()["faults"].as_array();
  faults.push_back(json::value(faults.front()));
  EXPECT_EQ(problem(twoFaults),
            "faults[1]: the id 1 of a fault rule must be at least 2 and at most the last id assigned, 1");
  json::value twoEvents = saved;
  json::array& events =
      twoEvents.as_object()["accounts"].as_array()[0].as_object()["sandbox"].as_object()["events"].as_array();
  events.push_back(json::value(events.front()));
  EXPECT_THAT(problem(twoEvents), HasSubstr("accounts[0].sandbox.events[2].limit: given twice"));
}

/// Settings at the ends of their ranges are accepted, and therefore have to load.
TEST(SavedSettings, CanBeLoadedAtTheEndsOfTheirRanges) {
  Service service{{.seed = std::numeric_limits<std::uint64_t>::max(),
                   .requestLog = std::numeric_limits<std::size_t>::max()}};
  const Account account = service.addAccount();
  service.faults().inject({.times = FaultRule::unlimited, .error = "api_error"});
  service.faults().inject({.times = FaultRule::unlimited - 1,
                           .error = "api_error",
                           .latency = std::chrono::hours{24} * 36'500,
                           .after = std::chrono::hours{24} * 36'500,
                           .period = std::chrono::hours{24} * 36'500});
  service.limits().set({.limit = "endpoint_rate", .value = std::numeric_limits<std::int64_t>::max()});
  for (int n = 0; n < 3; ++n)
    service.transactions().record(account.sandboxKey, 1'000'000'000'000);
  service.durations().set("payouts.create", std::chrono::hours{24} * 36'500);
  for (int n = 0; n < 4; ++n) {
    const std::string saved = exportJson(service);
    const Service restored = importJson(saved);
    EXPECT_EQ(exportJson(restored), saved);
    EXPECT_EQ(restored.faults().pending(), service.faults().pending());
    const auto years = std::chrono::hours{24} * 36'500;
    const Instant now = service.clock()->now();
    service.clock()->advanceTo(Instant::max() - now > years ? now + years : Instant::max());
    service.faults().inject({.error = "api_error", .after = years});
  }
  EXPECT_EQ(service.clock()->now(), Instant::max());
}

TEST(SavedSettings, AreRefusedIfTheyAreNotUtf8) {
  Service service{};
  const Account account = service.addAccount();
  EXPECT_THROW((void)service.addAccount({.country = "\xFF"}), std::invalid_argument);
  EXPECT_THROW((void)service.addAccount({.industry = "\xFF"}), std::invalid_argument);
  EXPECT_THROW(service.limits().set({.limit = "endpoint_rate", .country = "\xFF"}), std::invalid_argument);
  EXPECT_THROW(service.limits().set(account, {.limit = "endpoint_rate", .industry = "\xFF"}),
               std::invalid_argument);
  EXPECT_EQ(service.accounts().list().size(), 1U);
}

}  // namespace

}  // namespace tally::fake::detail
