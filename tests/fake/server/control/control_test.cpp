#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"
#include "format/control_json.h"
#include "time/rfc3339.h"

namespace tally::fake::detail {

namespace {

using test::errorOf;
using test::messageOf;
using testing::HasSubstr;

TEST_F(ControlTest, PassesPathsOutsideTheControlApiToTheService) {
  EXPECT_EQ(get(records).status, 200);
  EXPECT_EQ(get("/v1/unheard_of").status, 404);
  EXPECT_TRUE(control.mayBlock({.method = Method::post, .url = records}));
  EXPECT_FALSE(control.mayBlock({.method = Method::get, .url = records}));
}

TEST_F(ControlTest, TreatsSearchesAndFilteredListsAsBlocking) {
  const auto holdsUp = [&](const std::string& url) {
    return !control.mayBlock({.method = Method::get, .url = url});
  };
  EXPECT_FALSE(holdsUp("/v1/payment_records/search?query=created>0"));
  EXPECT_FALSE(holdsUp("/v1/invoices?limit=3&subscription=sub_1")) << "it also reads the invoices of others";
  EXPECT_TRUE(holdsUp("/v1/invoices?limit=3&starting_after=in_1")) << "each page costs the same";
  EXPECT_TRUE(holdsUp("/v1/payment_records/pr_1"));
  EXPECT_TRUE(holdsUp("/v1/unheard_of?query=1"));
}

TEST_F(ControlTest, TreatsControlRequestsAsBlocking) {
  EXPECT_TRUE(control.mayBlock({.method = Method::post, .url = "/_fake/records"}));
  EXPECT_TRUE(control.mayBlock({.method = Method::get, .url = "/_fake/requests?a=b"}));
}

TEST_F(ControlTest, IsolatesAccountsOfDifferentServices) {
  const auto other = told(send({.method = Method::post, .url = "/_fake/accounts"}));
  const std::string otherKey = test::text(other.at("sandbox_key"));
  const std::string id = insertOne();
  (void)told(post("/_fake/clock/advance", R"({"milliseconds":5000})"));
  (void)told(post("/_fake/faults", R"({"error":"api_error"})"));
  (void)told(post("/_fake/limits", R"({"limit":"global_rate","value":0})"));
  const HttpRequest read = test::get(otherKey, records + '/' + id);
  EXPECT_EQ(errorOf(send(read)), "404 resource_missing");
  EXPECT_EQ(test::text(told(send(test::get(otherKey, "/_fake/clock"))).at("now")),
            "2026-01-01T00:00:00.000000000Z");
  EXPECT_EQ(test::text(told(get("/_fake/clock")).at("now")), "2026-01-01T00:00:05.000000000Z");
  const auto accounts = told(get("/_fake/accounts"));
  EXPECT_EQ(accounts.at("accounts").as_array().size(), 2U);
  EXPECT_EQ(accounts.at("accounts").at(1), other);
}

TEST_F(ControlTest, AcceptsTheKeysOfAnAccountCreatedByARequest) {
  const auto created = told(postForm("/v1/accounts", ""));
  const std::string id = test::text(created.at("id"));
  const auto account = told(get("/_fake/accounts/" + id));
  EXPECT_EQ(test::text(account.at("id")), id);
  EXPECT_EQ(send(test::get(test::text(account.at("live_key")), records)).status, 200);
  EXPECT_THAT(messageOf(get("/_fake/accounts/acct_none")), HasSubstr("acct_none"));
}

TEST_F(ControlTest, InsertsRecordsInTheModeOfTheKey) {
  const auto ids = told(post("/_fake/records", R"({"resource":"payment_record","count":3,
                                                   "fields":{"amount_requested":{"value":77}}})"));
  EXPECT_EQ(ids.at("ids").as_array().size(), 3U);
  const auto page = told(get(records));
  EXPECT_EQ(page.at("data").as_array().size(), 3U);
  EXPECT_EQ(page.at("data").at(0).at("amount_requested").at("value"), 77);
  EXPECT_EQ(told(send(test::get(first.account.liveKey, records))).at("data").as_array().size(), 0U);
}

TEST_F(ControlTest, InsertsRecordsInTheGivenState) {
  const std::string id = test::text(
      told(post("/_fake/records", R"({"resource":"payment_record","state":"guaranteed"})")).at("ids").at(0));
  EXPECT_EQ(test::text(told(get("/_fake/states/" + id)).at("state")), "guaranteed");
  EXPECT_EQ(told(get(records + '/' + id)).at("amount_guaranteed").at("value"), 1000);
  EXPECT_EQ(report(id), "400 payment_attempt_already_guaranteed");
  EXPECT_THAT(messageOf(post("/_fake/records", R"({"resource":"payment_record","state":"lost"})")),
              HasSubstr("has no state 'lost'"));
  EXPECT_THAT(messageOf(post("/_fake/records", R"({"resource":"payment_record","state":"failed",
                                                    "fields":{"amount_canceled":{"value":1000}}})")),
              HasSubstr("'amount_canceled.value' contradicts the state 'failed'"));
}

TEST_F(ControlTest, InsertsAnAccountThatThePlatformCanActFor) {
  const std::string id =
      test::text(told(post("/_fake/records", R"({"resource":"account"})")).at("ids").at(0));
  HttpRequest request = test::get(first.account.sandboxKey, records);
  request.headers.push_back({"Service-Account", id});
  EXPECT_EQ(send(request).status, 200);
  const auto account = told(get("/_fake/accounts/" + id));
  EXPECT_EQ(send(test::get(test::text(account.at("sandbox_key")), records)).status, 200);
}

TEST_F(ControlTest, FreezesAndThawsTheClock) {
  EXPECT_EQ(told(post("/_fake/clock/freeze")).at("frozen"), true);
  EXPECT_TRUE(first.service.clock()->frozen());
  EXPECT_EQ(told(post("/_fake/clock/thaw")).at("frozen"), false);
}

TEST_F(ControlTest, LocksAnObjectUntilTheHoldIsReleasedOrExpires) {
  const std::string id = insertOne();
  const auto hold = told(post("/_fake/locks", R"({"object":")" + id + "\"}")).at("hold").as_int64();
  EXPECT_EQ(report(id), "429 lock_timeout");
  const std::string path = "/_fake/holds/" + std::to_string(hold);
  EXPECT_EQ(send(test::get(key, path), "DELETE").status, 200);
  EXPECT_EQ(report(id), "200");
  EXPECT_THAT(messageOf(send(test::get(key, path), "DELETE")), HasSubstr("unknown hold"));
  (void)told(post("/_fake/locks", R"({"object":")" + id + R"(","milliseconds":1000})"));
  EXPECT_EQ(report(id), "200");
}

TEST_F(ControlTest, HoldsConcurrencySlotsUntilAReset) {
  const auto hold =
      told(post("/_fake/concurrency", R"({"operation":"payouts.list","units":30})")).at("hold").as_int64();
  EXPECT_EQ(*get("/v1/payouts").header("Service-Rate-Limited-Reason"), "endpoint-concurrency");
  (void)told(post("/_fake/reset"));
  EXPECT_EQ(get("/v1/payouts").status, 200);
  EXPECT_EQ(send(test::get(key, "/_fake/holds/" + std::to_string(hold)), "DELETE").status, 400);
}

TEST_F(ControlTest, ReleasesHoldsWhenASnapshotIsRestored) {
  const std::string id = insertOne();
  const auto snapshot = told(post("/_fake/snapshots")).at("snapshot").as_int64();
  const auto hold = told(post("/_fake/locks", R"({"object":")" + id + "\"}")).at("hold").as_int64();
  (void)told(post("/_fake/snapshots/" + std::to_string(snapshot) + "/restore"));
  EXPECT_EQ(report(id), "200");
  EXPECT_EQ(send(test::get(key, "/_fake/holds/" + std::to_string(hold)), "DELETE").status, 400);
}

TEST_F(ControlTest, InjectsFaultsAndListsPendingOnes) {
  const std::string fault =
      R"({"operation":"payment_records.list","object":null,"times":1,"fault":"none","error":"rate_limit",)"
      R"("rate_limited_reason":"global-concurrency","headers":{"Retry-After":"3"},"latency_ms":20})";
  (void)told(post("/_fake/faults", fault));
  const auto shown = told(get("/_fake/faults")).at("faults").at(0).as_object();
  const auto given = boost::json::parse(fault);
  for (const auto& [name, value] : given.as_object())
    EXPECT_EQ(shown.at(name), value) << name;
  const HttpResponse refused = get(records);
  EXPECT_EQ(errorOf(refused), "429 rate_limit");
  EXPECT_EQ(*refused.header("Service-Rate-Limited-Reason"), "global-concurrency");
  EXPECT_EQ(*refused.header("Retry-After"), "3");
  (void)told(post("/_fake/faults", R"({"response":{"status":503,"headers":{"A":"b"},"body":"soon"}})"));
  EXPECT_EQ(get(records), (HttpResponse{.status = 503, .headers = {{"A", "b"}}, .body = "soon"}));
  EXPECT_TRUE(told(get("/_fake/faults")).at("faults").as_array().empty());
  for (const char* name : {"connection_refused", "reset", "response_lost", "truncated_body", "garbled_body",
                           "error_after_processing"})
    (void)told(post("/_fake/faults", std::string{R"({"fault":")"} + name + "\"}"));
  EXPECT_EQ(first.service.faults().pending().size(), 6U);
}

TEST_F(ControlTest, SetsLimitsAndDurationsAndRecordsTransactions) {
  (void)told(
      post("/_fake/limits", R"({"limit":"endpoint_rate","value":1,"operation":"payment_records.list"})"));
  EXPECT_EQ(get(records).status, 200);
  EXPECT_EQ(get(records).status, 429);
  (void)told(post("/_fake/transactions", R"({"count":30})"));
  EXPECT_EQ(*first.service.usage().of(key, "read_allocation").allowed, 15'000);
  (void)told(post("/_fake/durations", R"({"operation":"payouts.list","milliseconds":1500})"));
  (void)told(get("/v1/payouts"));
  const auto requests = told(get("/_fake/requests")).at("requests").as_array();
  EXPECT_EQ(test::text(requests.back().at("responded_at")), "2026-01-01T00:00:01.500000000Z");
}

TEST_F(ControlTest, ListsUsageAndRequests) {
  (void)told(get(records + "?limit=1"));
  (void)send(test::get(key, records), "PUT");
  const auto usage = told(get("/_fake/usage")).at("usage").as_array();
  EXPECT_TRUE(std::ranges::any_of(usage, [](const auto& line) {
    return line.at("limit") == "endpoint_rate" && line.at("operation") == "payment_records.list" &&
           line.at("used") == 1 && line.at("remaining") == 24 && line.at("allowed") == 25 &&
           line.at("available_at").is_string() && line.at("livemode") == false;
  }));
  const auto requests = told(get("/_fake/requests")).at("requests").as_array();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(test::text(requests[0].at("url")), records + "?limit=1");
  EXPECT_EQ(requests[0].at("operation"), "payment_records.list");
  EXPECT_EQ(requests[0].at("method"), "GET");
  EXPECT_EQ(requests[1].at("method"), "PUT");
  EXPECT_EQ(requests[1].at("error_code"), "method_not_allowed");
  EXPECT_EQ(requests[0].at("processed"), true);
  EXPECT_EQ(requests[1].at("processed"), false);
}

TEST_F(ControlTest, WritesTimesWithNanosecondPrecision) {
  using namespace std::chrono_literals;
  const Instant start = ServiceOptions{}.start;
  EXPECT_EQ(tally::detail::toText(start), "2026-01-01T00:00:00.000000000Z");
  EXPECT_EQ(tally::detail::toText(start + 5ms), "2026-01-01T00:00:00.005000000Z");
  EXPECT_EQ(tally::detail::toText(start + 60'001'002'003ns), "2026-01-01T00:01:00.001002003Z");
  EXPECT_EQ(tally::detail::toText(start - 1ns), "2025-12-31T23:59:59.999999999Z");
  EXPECT_EQ(tally::detail::toText(Instant{-1ns}), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(tally::detail::toText(Instant{std::chrono::sys_days{2024y / 2 / 29}}),
            "2024-02-29T00:00:00.000000000Z");
  EXPECT_EQ(tally::detail::toText(Instant::max()), "2262-04-11T23:47:16.854775807Z");
}

TEST_F(ControlTest, ListsRequestsInPages) {
  for (int i = 0; i < 5; ++i)
    (void)get(records);
  const auto numbers = [&](const std::string& query) {
    const auto page = told(get("/_fake/requests" + query));
    std::string text;
    for (const auto& request : page.at("requests").as_array())
      text += std::to_string(request.at("number").as_int64()) + ' ';
    return text + (page.at("has_more").as_bool() ? "more" : "end");
  };
  EXPECT_EQ(numbers(""), "1 2 3 4 5 end");
  EXPECT_EQ(numbers("?limit=1"), "1 more");
  EXPECT_EQ(numbers("?limit=2&starting_after=1"), "2 3 more");
  EXPECT_EQ(numbers("?starting_after=3"), "4 5 end");
  EXPECT_EQ(numbers("?starting_after=3&limit=2"), "4 5 end");
  EXPECT_EQ(numbers("?starting_after=5"), "end");
  EXPECT_EQ(numbers("?limit=18446744073709551615"), "1 2 3 4 5 end");
}

TEST_F(ControlTest, CountsRequestsDroppedFromALogOfTheGivenLength) {
  const auto made = toldBy(key, "/_fake/accounts", R"({"request_log":2})");
  const std::string other = test::text(made.at("sandbox_key"));
  for (int i = 0; i < 5; ++i)
    (void)send(test::get(other, records));
  const auto page = toldBy(other, "/_fake/requests");
  EXPECT_EQ(page.at("dropped"), 3);
  EXPECT_EQ(page.at("requests").as_array().size(), 2U);
  EXPECT_EQ(page.at("requests").at(0).at("number"), 4);
  EXPECT_EQ(told(get("/_fake/requests")).at("dropped"), 0);
}

TEST_F(ControlTest, RefusesUnknownAndInvalidQueryParameters) {
  const auto complaint = [&](const std::string& path) {
    const HttpResponse response = get(path);
    EXPECT_EQ(response.status, 400) << path;
    return messageOf(response);
  };
  EXPECT_THAT(complaint("/_fake/clock?zone=utc"), HasSubstr("zone: unknown parameter"));
  EXPECT_THAT(complaint("/_fake/clock?="), HasSubstr(": unknown parameter"));
  EXPECT_THAT(complaint("/_fake/requests?limits=1"), HasSubstr("limits: unknown parameter"));
  EXPECT_THAT(complaint("/_fake/requests?%ff=1"), HasSubstr("unknown parameter"));
  EXPECT_THAT(complaint("/_fake/requests?limit=1&limit=2"), HasSubstr("limit: given twice"));
  for (const char* value : {"", "0", "-1", "1x", "x", "18446744073709551616"})
    EXPECT_THAT(complaint(std::string{"/_fake/requests?limit="} + value),
                HasSubstr("limit: expected a number of at least 1"));
  EXPECT_THAT(complaint("/_fake/requests?starting_after=pr_1"),
              HasSubstr("starting_after: expected a number of at least 0"));
  EXPECT_EQ(errorOf(post("/_fake/faults?times=2", R"({"fault":"reset"})")), "400 parameter_invalid");
  EXPECT_TRUE(first.service.faults().pending().empty());
}

TEST_F(ControlTest, RefusesABodyForOperationsThatTakeNone) {
  for (const char* path : {"/_fake/clock/freeze", "/_fake/clock/thaw", "/_fake/snapshots", "/_fake/fork",
                           "/_fake/snapshots/1/restore", "/_fake/reset"})
    EXPECT_THAT(messageOf(post(path, R"({"hard":true})")), HasSubstr("hard: unknown field")) << path;
  HttpRequest request = test::get(key, "/_fake/requests");
  request.body = R"({"limit":1})";
  EXPECT_THAT(messageOf(send(request)), HasSubstr("limit: unknown field"));
  EXPECT_FALSE(first.service.clock()->frozen());
}

TEST_F(ControlTest, AcceptsDurationsOfUpToOneHundredYears) {
  const std::string most = std::to_string(std::chrono::milliseconds{std::chrono::years{100}}.count());
  const std::string more = std::to_string(std::chrono::milliseconds{std::chrono::years{100}}.count() + 1);
  const auto set = [&](const std::string& milliseconds) {
    return post("/_fake/durations", R"({"operation":"payouts.list","milliseconds":)" + milliseconds + "}");
  };
  EXPECT_EQ(set(most).status, 200);
  EXPECT_THAT(messageOf(set(more)),
              HasSubstr("milliseconds: expected a number of milliseconds from 0 to " + most));
}

TEST_F(ControlTest, AcceptsOnlyResponseStatusesFrom200To599) {
  const auto arrange = [&](int status) {
    return post("/_fake/faults", R"({"response":{"status":)" + std::to_string(status) + "}}");
  };
  for (const int status : {200, 599})
    EXPECT_EQ(arrange(status).status, 200);
  for (const int status : {-1, 0, 199, 600, 1000})
    EXPECT_THAT(messageOf(arrange(status)), HasSubstr("response.status: expected a status from 200 to 599"));
}

TEST_F(ControlTest, RespondsToHeadRequestsAsToGetRequests) {
  EXPECT_EQ(send(test::get(key, "/_fake/clock"), "HEAD"), get("/_fake/clock"));
  EXPECT_EQ(send(test::get(key, "/_fake/reset"), "HEAD").status, 405);
}

TEST_F(ControlTest, RestoresSnapshotsAndResetsTheService) {
  const std::string id = insertOne();
  const auto snapshot = told(post("/_fake/snapshots")).at("snapshot").as_int64();
  const std::string path = "/_fake/snapshots/" + std::to_string(snapshot) + "/restore";
  EXPECT_EQ(report(id), "200");
  EXPECT_EQ(first.service.objects().stateOf(key, id), "failed");
  (void)told(post(path));
  EXPECT_EQ(first.service.objects().stateOf(key, id), "unreported");
  (void)told(post("/_fake/clock/freeze"));
  (void)told(post("/_fake/reset"));
  EXPECT_EQ(errorOf(get(records + '/' + id)), "404 resource_missing");
  EXPECT_FALSE(first.service.clock()->frozen());
  EXPECT_THAT(messageOf(post(path)), HasSubstr("unknown snapshot"));
}

TEST_F(ControlTest, RequiresAKnownKey) {
  EXPECT_EQ(errorOf(send({.url = "/_fake/clock"})), "401 key_missing");
  EXPECT_EQ(errorOf(send(test::get("sk_test_none", "/_fake/clock"))), "401 key_unknown");
}

TEST_F(ControlTest, RefusesUnknownPathsAndMethods) {
  EXPECT_EQ(errorOf(get("/_fake/nothing")), "404 path_unknown");
  EXPECT_EQ(errorOf(get("/_fake/snapshots//restore")), "404 path_unknown");
  EXPECT_EQ(errorOf(get("/_fake/reset")), "405 method_not_allowed");
  EXPECT_EQ(errorOf(send(test::get(key, "/_fake/clock"), "PUT")), "405 method_not_allowed");
  EXPECT_EQ(*get("/_fake/reset").header("Allow"), "POST");
  EXPECT_EQ(*send(test::get(key, "/_fake/accounts"), "PUT").header("Allow"), "POST, GET, HEAD");
  EXPECT_EQ(*get("/_fake/holds/1").header("Allow"), "DELETE");
  EXPECT_EQ(get("/_fake/nothing").header("Allow"), nullptr);
}

TEST_F(ControlTest, ReportsTheFieldOrThePositionOfAnError) {
  const auto complaint = [&](const std::string& path, const std::string& body) {
    const HttpResponse response = post(path, body);
    EXPECT_EQ(response.status, 400) << body;
    return messageOf(response);
  };
  EXPECT_THAT(complaint("/_fake/faults", "{\n \"times\" 1}"), HasSubstr("line 2, column "));
  EXPECT_THAT(complaint("/_fake/faults", "[]"), HasSubstr("expected an object"));
  EXPECT_THAT(complaint("/_fake/faults", "{} {}"), HasSubstr("this is not JSON"));
  EXPECT_THAT(complaint("/_fake/faults", "{"), HasSubstr("this is not JSON"));
  EXPECT_THAT(complaint("/_fake/faults", R"({"times":"one"})"), HasSubstr("times: expected an integer"));
  EXPECT_THAT(complaint("/_fake/faults", R"({"times":0})"), HasSubstr("times: expected a number from 1"));
  EXPECT_THAT(complaint("/_fake/faults", R"({"fault":"bad luck"})"),
              HasSubstr("fault: unknown fault 'bad luck'"));
  EXPECT_THAT(complaint("/_fake/faults", R"({"error":"none"})"), HasSubstr("an unknown error 'none'"));
  EXPECT_THAT(complaint("/_fake/faults", R"({"response":{"status":1}})"),
              HasSubstr("response.status: expected"));
  EXPECT_THAT(complaint("/_fake/faults", R"({"response":{"x":1}})"), HasSubstr("response.x: unknown field"));
  EXPECT_THAT(complaint("/_fake/faults", R"({"headers":{"a":1}})"),
              HasSubstr("headers.a: expected a string"));
  EXPECT_THAT(complaint("/_fake/faults", R"({"latency_ms":-1})"), HasSubstr("latency_ms: expected"));
  EXPECT_THAT(complaint("/_fake/records", "{}"), HasSubstr("resource: missing"));
  EXPECT_THAT(complaint("/_fake/records", R"({"resource":"gadget"})"),
              HasSubstr("unknown resource 'gadget'"));
  EXPECT_THAT(complaint("/_fake/records", R"({"resource":"payout","count":0})"),
              HasSubstr("count: expected"));
  EXPECT_THAT(complaint("/_fake/limits", R"({"limit":"none"})"), HasSubstr("none"));
  EXPECT_THAT(complaint("/_fake/limits", R"({"limit":"global_rate","livemode":1})"),
              HasSubstr("livemode: expected true"));
  EXPECT_THAT(complaint("/_fake/clock/advance", "{}"), HasSubstr("milliseconds: missing"));
  EXPECT_THAT(complaint("/_fake/clock/advance", R"({"milliseconds":9223372036854775807})"),
              HasSubstr("from 0 to 3155695200000"));
  EXPECT_THAT(complaint("/_fake/accounts", R"({"request_log":1000001})"),
              HasSubstr("request_log: expected a number from 0 to 1000000"));
  EXPECT_THAT(complaint("/_fake/accounts", R"({"request_log":-1})"), HasSubstr("request_log: expected"));
  EXPECT_THAT(complaint("/_fake/concurrency", R"({"units":0})"),
              HasSubstr("units: expected a number of at least 1"));
  EXPECT_THAT(complaint("/_fake/snapshots/x/restore", ""), HasSubstr("unknown snapshot 'x'"));
  EXPECT_TRUE(first.service.faults().pending().empty());
}

TEST(ControlOfARunningClock, SetsTheClockToRealTimeOnReset) {
  Host host{{}};
  Tenant& tenant = *host.add();
  Control control{host};
  const auto post = [&](const std::string& path, const std::string& body) {
    (void)control.handle({.request = test::post(tenant.account.liveKey, path, body)}, {});
  };
  EXPECT_TRUE(tenant.service.clock()->running());
  post("/_fake/clock/advance", R"({"milliseconds":7200000})");
  EXPECT_GT(tenant.service.clock()->now(), std::chrono::system_clock::now() + std::chrono::hours{1});
  const Instant before = std::chrono::system_clock::now();
  post("/_fake/reset", "");
  EXPECT_GE(tenant.service.clock()->now(), before) << "not the start time";
  EXPECT_LT(tenant.service.clock()->now(), std::chrono::system_clock::now() + std::chrono::hours{1});
}

/// The response is ready immediately, but sent only when due.
TEST(ControlOfARunningClock, DelaysResponsesByTheirDuration) {
  Host host{{}};
  Tenant& tenant = *host.add();
  tenant.service.durations().set("payouts.list", std::chrono::hours{1});
  const Instant asked = tenant.service.clock()->now();
  const Reply result = host.handle({.request = test::get(tenant.account.liveKey, "/v1/payouts")}, {});
  EXPECT_FALSE(result.isDue());
  EXPECT_GE(result.due, asked + std::chrono::hours{1});
  EXPECT_LE(result.due, tenant.service.clock()->now() + std::chrono::hours{1});
  tenant.service.clock()->advance(std::chrono::hours{1});
  EXPECT_TRUE(result.isDue());
}

}  // namespace

}  // namespace tally::fake::detail
