#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"
#include "tables/description.h"
#include "tables/utf8.h"

namespace tally::fake::detail {

namespace {

namespace json = boost::json;

using test::messageOf;
using testing::HasSubstr;

class ControlInspection : public ControlTest {
 protected:
  std::vector<std::string> insertSome(const std::string& body) {
    std::vector<std::string> ids;
    const json::value inserted = told(post("/_fake/records", body));
    for (const auto& id : inserted.at("ids").as_array())
      ids.push_back(test::text(id));
    return ids;
  }

  std::vector<std::string> listed(const std::string& query) {
    std::vector<std::string> ids;
    const json::value list = told(get("/_fake/objects" + query));
    for (const auto& object : list.at("objects").as_array())
      ids.push_back(test::text(object.at("id")));
    return ids;
  }
};

TEST_F(ControlInspection, ListsObjectsWithTheirStates) {
  const auto unreported = insertSome(R"({"resource":"payment_record","count":2})");
  const auto failed = insertSome(R"({"resource":"payment_record","state":"failed"})");
  const auto payout = insertSome(R"({"resource":"payout"})");
  EXPECT_THAT(listed(""), testing::UnorderedElementsAre(unreported[0], unreported[1], failed[0], payout[0]));
  EXPECT_THAT(listed("?resource=payment_record"),
              testing::ElementsAre(failed[0], unreported[1], unreported[0]))
      << "newest first";
  EXPECT_THAT(listed("?state=failed"), testing::ElementsAre(failed[0]));
  EXPECT_THAT(listed("?text=" + payout[0].substr(3)), testing::ElementsAre(payout[0]));
  EXPECT_TRUE(
      told(send(test::get(first.account.liveKey, "/_fake/objects"))).at("objects").as_array().empty());
  const auto all = told(get("/_fake/objects?limit=1"));
  EXPECT_EQ(all.at("has_more"), true);
  EXPECT_EQ(all.at("objects").as_array().size(), 1U);
  EXPECT_EQ(all.at("objects").at(0).at("state"), "failed");
  EXPECT_EQ(told(get("/_fake/objects?limit=4")).at("has_more"), false);
  const json::array& counts = all.at("counts").as_array();
  const auto has = [&](const json::value& count) { return std::ranges::find(counts, count) != counts.end(); };
  EXPECT_TRUE(has({{"resource", "payment_record"}, {"state", "unreported"}, {"count", 2U}}));
  EXPECT_TRUE(has({{"resource", "payment_record"}, {"state", "failed"}, {"count", 1U}}));
  EXPECT_TRUE(has({{"resource", "payment_record"}, {"state", "canceled"}, {"count", 0U}}));
  EXPECT_TRUE(has({{"resource", "payout"}, {"state", nullptr}, {"count", 1U}}));
}

TEST_F(ControlInspection, RefusesInvalidFiltersForObjects) {
  EXPECT_THAT(messageOf(get("/_fake/objects?resource=pigeon")), HasSubstr("unknown resource 'pigeon'"));
  EXPECT_THAT(messageOf(get("/_fake/objects?state=lost")), HasSubstr("no resource has a state 'lost'"));
  EXPECT_THAT(messageOf(get("/_fake/objects?resource=payout&state=failed")),
              HasSubstr("payout has no state 'failed'"));
  EXPECT_THAT(messageOf(get("/_fake/objects?limit=0")), HasSubstr("limit: expected a number of at least 1"));
  EXPECT_THAT(messageOf(get("/_fake/objects?colour=red")), HasSubstr("colour: unknown parameter"));
}

TEST_F(ControlInspection, ShowsAnObjectWithoutLoggingARequest) {
  const std::string id = insertSome(R"({"resource":"payment_record","state":"canceled"})")[0];
  const auto object = told(get("/_fake/objects/" + id));
  EXPECT_EQ(object.at("resource"), "payment_record");
  EXPECT_EQ(object.at("state"), "canceled");
  EXPECT_EQ(test::text(object.at("created")), "2026-01-01T00:00:00.000000000Z");
  EXPECT_TRUE(first.service.requests().list().empty()) << "it is no request to the payments API";
  EXPECT_EQ(object.at("object"), told(get(records + '/' + id)));
  EXPECT_THAT(messageOf(get("/_fake/objects/pr_none")), HasSubstr("unknown object 'pr_none'"));
}

TEST_F(ControlInspection, ShowsCreationsBeyondTheRangeOfTheClock) {
  const auto created = [&](const std::string& seconds) {
    const std::string fields = R"({"resource":"payout","fields":{"created":)" + seconds + "}}";
    return test::text(told(get("/_fake/objects/" + insertSome(fields)[0])).at("created"));
  };
  EXPECT_EQ(created("9223372036"), "2262-04-11T23:47:16.000000000Z");
  EXPECT_EQ(created("9223372037"), "2262-04-11T23:47:17Z");
  EXPECT_EQ(created("-62135596800"), "0001-01-01T00:00:00Z");
  EXPECT_EQ(created("1767225600000"), "1767225600000 s since 1970") << "milliseconds by mistake";
}

/// Every transition and refusal happens as described.
TEST_F(ControlInspection, DescribesEveryTransitionAndRefusalOfTheStateMachine) {
  const auto described = told(send({.method = Method::get, .url = "/_fake/state_machine"}));
  const json::value description = told(send({.method = Method::get, .url = "/_fake/description"}));
  const auto operationNamed = [&](const json::value& name) {
    for (const auto& operation : description.at("operations").as_array())
      if (operation.at("name") == name) return operation;
    return json::value{};
  };
  int reports = 0;
  const auto reportIn = [&](const json::value& machine, const json::value& move, const json::value& state) {
    ++reports;
    const std::string id = insertSome(R"({"resource":")" + test::text(machine.at("resource")) +
                                      R"(","state":")" + test::text(state) + "\"}")[0];
    std::string path = test::text(operationNamed(move.at("operation")).at("path"));
    path.replace(path.find("{id}"), 4, id);
    const std::string operation = test::text(move.at("operation"));
    const std::string time = operation.substr(operation.rfind('_') + 1) + "_at=1";
    const HttpResponse response = postForm(path, time);
    return test::errorOf(response) + ' ' + test::text(told(get("/_fake/states/" + id)).at("state"));
  };
  for (const auto& machine : described.at("state_machines").as_array()) {
    EXPECT_EQ(machine.at("initial"), "unreported");
    for (const auto& move : machine.at("transitions").as_array())
      for (const auto& state : move.at("from").as_array())
        EXPECT_EQ(reportIn(machine, move, state), "200 " + test::text(move.at("to")));
    for (const auto& move : machine.at("refusals").as_array())
      for (const auto& state : move.at("from").as_array())
        EXPECT_EQ(reportIn(machine, move, state),
                  "400 " + test::text(move.at("error")) + ' ' + test::text(state));
  }
  EXPECT_EQ(reports, 12) << "three operations in four states";
}

TEST_F(ControlInspection, ListsTheNamesThatOtherOperationsAccept) {
  const auto described = told(send({.method = Method::get, .url = "/_fake/description"}));
  for (const auto& error : described.at("errors").as_array())
    (void)told(post("/_fake/faults", json::serialize(json::object{{"error", error.at("name")}})));
  for (const auto& operation : described.at("operations").as_array())
    (void)told(post("/_fake/durations",
                    json::serialize(json::object{{"operation", operation.at("name")}, {"milliseconds", 0}})));
  for (const auto& limit : described.at("limits").as_array())
    (void)told(post("/_fake/limits", json::serialize(json::object{{"limit", limit.at("name")}})));
  for (const auto& resource : described.at("resources").as_array())
    (void)told(post("/_fake/records", json::serialize(json::object{{"resource", resource}})));
  EXPECT_EQ(described.at("operations").as_array().size(), Description{}.operations.size());
  EXPECT_EQ(described.at("limits").as_array().size(), Description{}.limits.size());
}

TEST_F(ControlInspection, ListsHoldsUntilTheyEnd) {
  const std::string id = insertOne();
  (void)told(post("/_fake/locks", R"({"object":")" + id + R"(","milliseconds":1000})"));
  const auto units =
      told(post("/_fake/concurrency", R"({"operation":"payouts.create","units":3})")).at("hold").as_int64();
  const json::value held{{"hold", units},     {"account", first.account.id},   {"livemode", false},
                         {"object", nullptr}, {"operation", "payouts.create"}, {"units", 3},
                         {"until", nullptr}};
  const auto both = told(get("/_fake/holds")).at("holds");
  ASSERT_EQ(both.as_array().size(), 2U);
  EXPECT_EQ(test::text(both.at(0).at("object")), id);
  EXPECT_EQ(test::text(both.at(0).at("until")), "2026-01-01T00:00:01.000000000Z");
  EXPECT_EQ(both.at(1), held);
  (void)told(post("/_fake/clock/advance", R"({"milliseconds":1000})"));
  EXPECT_EQ(told(get("/_fake/holds")).at("holds"), json::value(json::array{held})) << "the lock has ended";
  (void)told(send(test::get(key, "/_fake/holds/" + std::to_string(units)), "DELETE"));
  EXPECT_TRUE(told(get("/_fake/holds")).at("holds").as_array().empty());
}

TEST_F(ControlInspection, DecodesIdentifiersInPaths) {
  const std::string id = "pr_\u00fc/ %";
  const std::string encoded = "pr_%C3%BC%2F%20%25";
  (void)told(post("/_fake/records", R"({"resource":"payment_record","fields":{"id":")" + id + R"("}})"));
  EXPECT_EQ(test::text(told(get("/_fake/states/" + encoded)).at("state")), "unreported");
  EXPECT_EQ(test::text(told(get("/_fake/objects/" + encoded)).at("id")), id);
  EXPECT_EQ(test::text(told(get("/_fake/accounts/" + first.account.id.substr(0, 4) + "%5f" +
                                first.account.id.substr(5)))
                           .at("id")),
            first.account.id);
  const char* const complaint = "the path has a '%' that is not followed by two hexadecimal digits";
  EXPECT_THAT(messageOf(get("/_fake/objects/%")), HasSubstr(complaint));
  EXPECT_THAT(messageOf(get("/_fake/states/pr_%4")), HasSubstr(complaint));
  EXPECT_THAT(messageOf(send(test::get(key, "/_fake/holds/%zz"), "DELETE")), HasSubstr(complaint));
}

TEST_F(ControlInspection, ReportsErrorsAsValidUtf8) {
  for (const char* path : {"/_fake/objects/%FF", "/_fake/accounts/%FF", "/_fake/requests?operation=%FF",
                           "/_fake/objects?resource=%FF", "/_fake/objects?state=%FF", "/_fake/requests?%FF=1",
                           "/_fake/requests?limit=%FF", "/_fake/\xFF"}) {
    const HttpResponse response = get(path);
    EXPECT_GE(response.status, 400) << path;
    EXPECT_TRUE(isUtf8(response.body)) << path;
  }
  for (const char* path :
       {"/_fake/accounts/%FF", "/_fake/holds/%FF", "/_fake/faults/%FF", "/_fake/snapshots/%FF",
        "/_fake/limits?limit=%FF", "/_fake/limits?account=%FF", "/_fake/durations?operation=%FF"}) {
    const HttpResponse response = send(test::get(key, path), "DELETE");
    EXPECT_EQ(response.status, 400) << path;
    EXPECT_TRUE(isUtf8(response.body)) << path;
    EXPECT_THAT(response.body, HasSubstr("\uFFFD")) << path;
  }
}

TEST_F(ControlInspection, ForecastsWhenALimitWillFreeAUnitAndAdmitARequest) {
  const auto line = [&] {
    const json::value usage = told(get("/_fake/usage"));
    for (const auto& each : usage.at("usage").as_array())
      if (each.at("limit") == "global_rate" && each.at("livemode") == false) return each;
    return json::value{};
  };
  EXPECT_TRUE(line().at("frees_at").is_null()) << "nothing counts";
  (void)get(records);
  (void)told(post("/_fake/clock/advance", R"({"milliseconds":400})"));
  (void)get(records);
  EXPECT_EQ(test::text(line().at("frees_at")), "2026-01-01T00:00:01.000000000Z")
      << "the first request leaves";
  EXPECT_EQ(test::text(line().at("available_at")), "2026-01-01T00:00:00.400000000Z");
  EXPECT_EQ(line().at("remaining").as_int64(), line().at("allowed").as_int64() - 2);
}

TEST_F(ControlInspection, ForecastsTheUseOfTheReadAllocation) {
  (void)get(records);
  (void)told(post("/_fake/clock/advance", R"({"milliseconds":864000000})"));
  (void)get(records);
  const auto forecasts = told(get("/_fake/allocation")).at("allocation");
  EXPECT_EQ(test::text(forecasts.at(1).at("limit")), "read_allocation_on_behalf");
  const json::array points = forecasts.at(0).at("points").as_array();
  ASSERT_EQ(points.size(), 121U);
  EXPECT_EQ(test::text(points.front().at("time")), "2026-01-11T00:00:00.000000000Z");
  EXPECT_EQ(test::text(points.back().at("time")), "2026-02-10T00:00:00.000000000Z");
  const auto usedAfter = [&](std::size_t day) { return points[4 * day].at("used").as_int64(); };
  EXPECT_EQ(usedAfter(0), 2);
  EXPECT_EQ(usedAfter(19), 2);
  EXPECT_EQ(usedAfter(20), 1) << "the first read has left";
  EXPECT_EQ(usedAfter(30), 0);
  EXPECT_EQ(points.front().at("allowed").as_int64(), 10'000);
}

TEST_F(ControlInspection, ListsSnapshotsUntilAReset) {
  EXPECT_TRUE(told(get("/_fake/snapshots")).at("snapshots").as_array().empty());
  const auto snapshot = told(post("/_fake/snapshots")).at("snapshot");
  EXPECT_EQ(told(get("/_fake/snapshots")).at("snapshots"), json::value(json::array{snapshot}));
  (void)told(post("/_fake/reset"));
  EXPECT_TRUE(told(get("/_fake/snapshots")).at("snapshots").as_array().empty());
}

/// The response body of `GET /_fake/requests.har`, which is a stream.
std::string streamedBody(Reply reply) {
  std::string text;
  while (const auto piece = reply.body->take(std::chrono::steady_clock::now()))
    text += *piece;
  return text;
}

TEST_F(ControlInspection, ExportsRequestsAsHar) {
  (void)get(records + "/pr_none");
  for (int i = 0; i < 120; ++i)
    (void)get(records);
  const auto exported = [&](const std::string& query) {
    Reply reply = control.handle({.request = test::get(key, "/_fake/requests.har" + query)}, {});
    const auto& response = std::get<HttpResponse>(reply.result);
    EXPECT_EQ(*response.header("Content-Disposition"), "attachment; filename=\"requests.har\"");
    const json::value har = json::parse(streamedBody(std::move(reply)));
    return har.at("log").at("entries").as_array();
  };
  EXPECT_EQ(exported("").size(), 121U);
  EXPECT_EQ(exported("?limit=101").size(), 101U);
  const json::array missing = exported("?status=404");
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(test::text(missing[0].at("request").at("url")), records + "/pr_none");
  EXPECT_EQ(json::serialize(exported("")).find(key), std::string::npos);
  EXPECT_THAT(messageOf(get("/_fake/requests.har?operation=payouts.pay")), HasSubstr("payouts.pay"));
  EXPECT_THAT(messageOf(get("/_fake/requests.har?stauts=404")), HasSubstr("did you mean 'status'"));
}

TEST_F(ControlInspection, ShowsTheUsageHistoryOfLimits) {
  toldBy(key, "/_fake/limits", R"({"limit":"endpoint_rate","operation":"payouts.list","value":1})");
  for (int n = 0; n < 3; ++n)
    (void)get("/v1/payouts");
  toldBy(key, "/_fake/clock/advance", R"({"milliseconds":18000000})");
  first.service.requests().clear();
  const json::value history = told(get("/_fake/usage/history")).at("history");
  const json::value& refusing = history.at(0);
  EXPECT_EQ(refusing.at("limit"), "endpoint_rate");
  EXPECT_EQ(refusing.at("operation"), "payouts.list");
  EXPECT_EQ(refusing.at("allowed"), 1);
  EXPECT_EQ(refusing.at("highest_use"), 1);
  EXPECT_EQ(refusing.at("highest_at"), "2026-01-01T00:00:00.000000000Z");
  EXPECT_EQ(refusing.at("refusals"), 2);
  EXPECT_EQ(refusing.at("first_refusal"), "2026-01-01T00:00:00.000000000Z");
  EXPECT_EQ(refusing.at("refused_object"), nullptr);
  EXPECT_EQ(refusing.at("minutes"),
            (json::value{{{"start", "2026-01-01T00:00:00.000000000Z"}, {"refusals", 2}}}));
  EXPECT_EQ(history.at(1).at("refusals"), 0) << "others that counted";
}

TEST_F(ControlInspection, ListsEarlierRequestsPageByPage) {
  for (const char* path : {"/v1/payouts", "/v1/nowhere", "/v1/payouts", "/v1/payouts/po_1"})
    (void)get(path);
  const auto numbers = [&](const std::string& query) {
    std::vector<std::int64_t> all;
    const json::value page = told(get("/_fake/requests?" + query));
    for (const json::value& request : page.at("requests").as_array())
      all.push_back(request.at("number").to_number<std::int64_t>());
    return all;
  };
  EXPECT_THAT(numbers("ending_before=99&limit=2"), testing::ElementsAre(3, 4));
  EXPECT_THAT(numbers("ending_before=3&limit=5"), testing::ElementsAre(1, 2));
  EXPECT_THAT(numbers("has_operation=false"), testing::ElementsAre(2));
  EXPECT_THAT(numbers("outcome=refused"), testing::ElementsAre(2, 4));
  EXPECT_THAT(numbers("outcome=succeeded&ending_before=3"), testing::ElementsAre(1));
  EXPECT_THAT(numbers("faulted=true"), testing::ElementsAre());
  EXPECT_THAT(numbers("from=2026-01-01T00:00:01Z"), testing::ElementsAre());
  EXPECT_THAT(numbers("until=2026-01-01T00:00:00.000000001Z&limit=1"), testing::ElementsAre(1));
  EXPECT_EQ(told(get("/_fake/requests?ending_before=99&limit=3")).at("has_more"), true);
  EXPECT_EQ(told(get("/_fake/requests?ending_before=99&limit=4")).at("has_more"), false);
  const json::value brief = told(get("/_fake/requests?responses=false&limit=1")).at("requests").at(0);
  EXPECT_EQ(brief.at("response"), nullptr);
  EXPECT_EQ(brief.at("outcome"), "succeeded");
}

TEST_F(ControlInspection, SummarizesMatchingRequests) {
  for (const char* path : {"/v1/payouts", "/v1/nowhere", "/v1/payouts"})
    (void)get(path);
  const json::value summary = told(get("/_fake/requests/summary?spans=2&operation=payouts.list"));
  EXPECT_EQ(summary.at("logged"), 3);
  EXPECT_EQ(summary.at("matching"), 2);
  EXPECT_EQ(summary.at("outcomes").at("succeeded"), 2);
  EXPECT_EQ(summary.at("spans").as_array().size(), 2U);
  EXPECT_EQ(summary.at("operations").at(0), (json::value{{"name", nullptr}, {"count", 1}}));
  EXPECT_EQ(summary.at("last"), 3);
  EXPECT_EQ(summary.at("dropped"), 0);
  EXPECT_EQ(summary.at("from"), "2026-01-01T00:00:00.000000000Z");
}

TEST_F(ControlInspection, RefusesInvalidFiltersForRequests) {
  const auto refused = [&](const std::string& query) { return messageOf(get("/_fake/requests" + query)); };
  EXPECT_THAT(refused("?outcome=lost"), HasSubstr("outcome: expected succeeded, limited, refused, failed"));
  EXPECT_THAT(refused("?faulted=maybe"), HasSubstr("faulted: expected true or false"));
  EXPECT_THAT(refused("?from=yesterday"), HasSubstr("from: expected a time such as 2026-01-01T00:00:00Z"));
  EXPECT_THAT(refused("?ending_before=3&after=1"),
              HasSubstr("ending_before: can't be combined with starting_after"));
  EXPECT_THAT(refused("/summary?spans=2000"), HasSubstr("spans: expected at most 1000"));
}

}  // namespace

}  // namespace tally::fake::detail
