#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compare/comparison.h"
#include "fake/server/support/sent_traffic.h"
#include "fake/support/requests.h"

namespace tally::fake::detail {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::intents;
using test::records;
using test::report;
using test::sendCreations;
using test::sendReports;
using test::Traffic;
using testing::ElementsAre;
using testing::IsEmpty;

namespace json = boost::json;

bool isError(const json::object& body, std::string_view code) {
  const auto* error = body.if_contains("error");
  return error != nullptr && error->at("code") == json::string_view{code};
}

/// Six requests that take 1.4 s each: the last ones time out.
void sendToOneObject(Traffic& traffic) {
  traffic.service.durations().set("payment_records.report_failed", milliseconds{1400});
  const std::string id = traffic.service.insertMany(traffic.key, "payment_record", 1).front();
  traffic.get(records + '/' + id);
  std::vector<std::pair<milliseconds, HttpRequest>> reports;
  for (int n = 0; n < 6; ++n)
    reports.emplace_back(100 * n, test::post(traffic.key, report(id, "failed"),
                                             "failed_at=1&metadata[n]=" + std::to_string(n)));
  reports.emplace_back(1500, test::get(traffic.key, records + '/' + id));
  traffic.overlap(std::move(reports));
  traffic.get(records + '/' + id);
}

TEST(RecordingComparison, FindsNoDifferenceInLockTimeoutsFromTheFake) {
  Traffic traffic;
  sendToOneObject(traffic);
  EXPECT_EQ(std::ranges::count_if(traffic.recorded,
                                  [](const Recorded& one) { return one.response->status == 429; }),
            3);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

struct Planted {
  std::string name;
  void (*send)(Traffic& traffic);
  Traffic::Change change;
  std::string expected;
};

void PrintTo(const Planted& planted, std::ostream* out) {
  *out << planted.name;
}

Traffic::Change inObjects(const std::string& resource, void (*change)(json::object&)) {
  return [=](Recorded&, json::object& body) {
    bool found = false;
    const auto visit = [&](json::object& object) {
      if (object.at("object") != resource.c_str()) return;
      change(object);
      found = true;
    };
    if (body.contains("error")) return false;
    visit(body);
    if (auto* data = body.if_contains("data"))
      for (json::value& element : data->as_array())
        visit(element.as_object());
    return found;
  };
}

Traffic::Change inError(const std::string& code, void (*change)(Recorded&, json::object&)) {
  return [=](Recorded& one, json::object& body) {
    if (!isError(body, code)) return false;
    change(one, body.at("error").as_object());
    return true;
  };
}

Traffic::Change inPages(const std::string& object, void (*change)(json::object&)) {
  return [=](Recorded&, json::object& body) {
    const auto* named = body.if_contains("object");
    if (named == nullptr || *named != object.c_str()) return false;
    change(body);
    return true;
  };
}

void dropHeader(Recorded& one, std::string_view name) {
  std::erase_if(one.response->headers, [&](const Header& header) { return header.name == name; });
}

/// Shows a failed record as canceled. Returns whether it was failed.
bool cancel(json::object& record) {
  const json::value failed = record.at("amount_failed");
  if (failed.at("value") == 0) return false;
  record["amount_canceled"] = failed;
  record.at("amount_failed").as_object()["value"] = 0;
  return true;
}

class PlantedDifference : public testing::TestWithParam<Planted> {};

TEST_P(PlantedDifference, IsTheOnlyDifferenceFound) {
  Traffic traffic;
  GetParam().send(traffic);
  traffic.alter(GetParam().change);
  EXPECT_THAT(traffic.differences(), ElementsAre(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Compare, PlantedDifference,
    testing::Values(
        Planted{"MissingField", sendReports,
                inObjects("payment_record", [](json::object& o) { o.erase("description"); }),
                "missing:payment_record.description"},
        Planted{"NullField", sendReports,
                inObjects("payment_record", [](json::object& o) { o["processor_details"] = nullptr; }),
                "null:payment_record.processor_details"},
        Planted{"AdditionalField", sendReports,
                inObjects("payment_record", [](json::object& o) { o["state"] = "x"; }),
                "additional:payment_record.state"},
        Planted{"Type", sendReports,
                inObjects("payment_record", [](json::object& o) { o.at("amount_refunded").as_object()["value"] = "0"; }),
                "type:amount.value"},
        Planted{"NestedField", sendReports,
                inObjects("payment_record",
                          [](json::object& o) { o.at("payment_method_details").as_object().erase("payment_method"); }),
                "missing:payment_method_details.payment_method"},
        Planted{"Fraction", sendReports,
                inObjects("payment_record", [](json::object& o) { o.at("amount_requested").as_object()["value"] = 10.5; }),
                "type:amount.value"},
        Planted{"IdPrefix", sendReports,
                inObjects("payment_record", [](json::object& o) { o["latest_payment_attempt_record"] = "att_1"; }),
                "id_prefix:payment_record.latest_payment_attempt_record"},
        Planted{"Milliseconds", sendReports,
                inObjects("payment_record",
                          [](json::object& o) { o["created"] = o.at("created").to_number<std::int64_t>() * 1000; }),
                "value:payment_record.created"},
        Planted{"ErrorCode", sendReports,
                inError("payment_attempt_already_guaranteed",
                        [](Recorded&, json::object& error) { error["code"] = "attempt_final"; }),
                "error.code:payment_attempt_already_guaranteed"},
        Planted{"OtherError", sendReports,
                inError("parameter_missing", [](Recorded&, json::object& error) { error["code"] = "parameter_invalid"; }),
                "error.other:payment_records.report_failed:parameter_missing:parameter_invalid"},
        Planted{"ErrorStatus", sendReports,
                inError("payment_attempt_already_guaranteed",
                        [](Recorded& one, json::object&) { one.response->status = 409; }),
                "error.status:payment_attempt_already_guaranteed"},
        Planted{"ErrorType", sendReports,
                inError("resource_missing", [](Recorded&, json::object& error) { error["type"] = "api_error"; }),
                "error.type:resource_missing"},
        Planted{"ErrorParam", sendReports,
                inError("parameter_missing", [](Recorded&, json::object& error) { error.erase("param"); }),
                "missing:error.param"},
        Planted{"RequestId", sendReports,
                inError("resource_missing", [](Recorded& one, json::object&) { dropHeader(one, "Request-Id"); }),
                "header:Request-Id:missing:error"},
        Planted{"ContentType", sendReports,
                inError("resource_missing",
                        [](Recorded& one, json::object&) { one.response->headers.front().value = "text/plain"; }),
                "header:Content-Type:error"},
        Planted{"Order", sendCreations,
                inPages("list", [](json::object& page) { std::ranges::reverse(page.at("data").as_array()); }),
                "order:list"},
        Planted{"Cursor", sendReports,
                [](Recorded& one, json::object& body) {
                  if (one.request.url.find("starting_after") == std::string::npos) return false;
                  json::array& data = body.at("data").as_array();
                  if (data.size() > 1) data.erase(data.begin());
                  return true;
                },
                "elements:list:starting_after"},
        Planted{"HasMoreAlways", sendReports, inPages("list", [](json::object& page) { page["has_more"] = true; }),
                "has_more:list"},
        Planted{"HasMoreNever", sendReports, inPages("list", [](json::object& page) { page["has_more"] = false; }),
                "has_more:list"},
        Planted{"HasMoreMissing", sendReports, inPages("list", [](json::object& page) { page.erase("has_more"); }),
                "missing:list.has_more"},
        Planted{"HasMoreType", sendReports, inPages("list", [](json::object& page) { page["has_more"] = "yes"; }),
                "type:list.has_more"},
        Planted{"RequestIdOfSuccess", sendReports,
                [](Recorded& one, json::object& body) {
                  if (!body.contains("error")) dropHeader(one, "Request-Id");
                  return false;
                },
                "header:Request-Id:missing:success"},
        Planted{"NextPage", sendReports,
                inPages("search_result", [](json::object& page) { page.emplace("next_page", nullptr); }),
                "null:search_result.next_page"},
        Planted{"TotalCount", sendReports, inPages("search_result", [](json::object& page) { page["total_count"] = 5; }),
                "value:search_result.total_count"},
        Planted{"ListUrl", sendReports, inPages("list", [](json::object& page) { page["url"] = "https://x/"; }),
                "value:list.url"},
        Planted{"Rounding", sendReports,
                [](Recorded& one, json::object& body) {
                  if (one.request.url.find("_failed") == std::string::npos || body.contains("error")) return false;
                  body.at("amount_failed").as_object()["value"] = 999;
                  return true;
                },
                "value:payment_records.report_failed:payment_record.amount_failed.value"},
        Planted{"State", sendReports,
                [](Recorded& one, json::object& body) {
                  if (one.request.method != Method::get || body.contains("data") || body.contains("error"))
                    return false;
                  return cancel(body);
                },
                "state:payment_record"},
        Planted{"Metadata", sendReports,
                [](Recorded& one, json::object& body) {
                  if (one.request.url.find("_canceled") == std::string::npos) return false;
                  body["metadata"] = {{"a", ""}};
                  return true;
                },
                "value:payment_records.report_canceled:payment_record.metadata"},
        Planted{"Status", sendCreations,
                [](Recorded& one, json::object&) {
                  if (one.request.method != Method::post || !one.request.url.ends_with("intents") ||
                      one.response->status != 200)
                    return false;
                  one.response->status = 201;
                  return true;
                },
                "status:payment_intents.create"},
        Planted{"Created", sendCreations,
                inObjects("payment_intent",
                          [](json::object& o) { o["created"] = o.at("created").as_int64() + 2; }),
                "value:payment_intents.create:payment_intent.created"},
        Planted{"ValueOfNewObjects", sendCreations,
                inObjects("payment_intent", [](json::object& o) { o["amount"] = 7777; }),
                "value:payment_intents.create:payment_intent.amount"},
        Planted{"CreatedInOneResponse", sendCreations,
                [](Recorded& one, json::object& body) {
                  if (one.request.method != Method::post || !one.request.url.ends_with("intents") ||
                      body.contains("error"))
                    return false;
                  body["created"] = body.at("created").as_int64() + 3600;
                  return true;
                },
                "value:payment_intents.create:payment_intent.created"},
        Planted{"Prefix", sendCreations,
                [](Recorded& one, json::object& body) {
                  if (!one.request.url.ends_with("subscriptions")) return false;
                  body["id"] = "s" + test::text(body.at("id"));
                  return true;
                },
                "id_prefix:subscription.id"},
        Planted{"LockCode", sendToOneObject,
                inError("lock_timeout", [](Recorded&, json::object& error) { error["code"] = "locked"; }),
                "error.code:lock_timeout"},
        Planted{"LockRequestId", sendToOneObject,
                inError("lock_timeout",
                        [](Recorded& one, json::object&) { one.response->headers.push_back({"Request-Id", "req_1"}); }),
                "header:Request-Id:additional:lock_timeout"},
        Planted{"LockWait", sendToOneObject,
                inError("lock_timeout", [](Recorded& one, json::object&) { one.end = one.start + seconds{2}; }),
                "lock.wait:payment_records.report_failed"},
        Planted{"LockOfARead", sendToOneObject,
                [](Recorded& one, json::object& body) {
                  if (one.request.method != Method::get) return false;
                  one.response = HttpResponse{.status = 429, .headers = {{"Content-Type", "application/json"}}};
                  body = {{"error",
                           {{"type", "invalid_request_error"}, {"code", "lock_timeout"}, {"message", "locked"}}}};
                  return true;
                },
                "lock.timeout:payment_records.retrieve"}),
    [](const auto& tested) { return tested.param.name; });

TEST(RecordingComparison, CitesTheSectionAndTheAssumptionForADifference) {
  Traffic traffic;
  sendReports(traffic);
  traffic.alter(inError("payment_attempt_already_guaranteed",
                        [](Recorded&, json::object& error) { error["code"] = "attempt_final"; }));
  const auto found = traffic.compare().differences();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule.section, "Errors");
  ASSERT_NE(found[0].rule.assumption, nullptr);
  EXPECT_EQ(found[0].rule.assumption->key, "guaranteed_response");
  EXPECT_EQ(found[0].firstRequest, 9U);
  EXPECT_EQ(found[0].count, 1U);
}

TEST(RecordingComparison, ReportsTheRuleThatDescribesAnEffect) {
  Traffic traffic;
  sendReports(traffic);
  traffic.alter([](Recorded& one, json::object& body) {
    if (one.request.url.find("_failed") == std::string::npos || body.contains("error")) return false;
    body["customer_presence"] = "off_session";
    return true;
  });
  const auto found = traffic.compare().differences();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule.section, "Report payment attempt failed");
  ASSERT_NE(found[0].rule.assumption, nullptr);
  EXPECT_EQ(found[0].rule.assumption->key, "reporting_again");
}

/// The rule of the first difference in a state that the recording shows in response to requests of this
/// method.
Rule ruleOfState(Method method) {
  Traffic traffic;
  sendReports(traffic);
  traffic.alter([method](Recorded& one, json::object& body) {
    return one.request.method == method && !body.contains("data") && !body.contains("error") && cancel(body);
  });
  const auto found = traffic.compare().differences();
  if (found.empty() || !found[0].id.starts_with("state:")) return {};
  return found[0].rule;
}

TEST(RecordingComparison, ReportsTheRuleThatDescribesAState) {
  EXPECT_EQ(ruleOfState(Method::get).section, "States and transitions");
  EXPECT_EQ(ruleOfState(Method::post).section, "Report payment attempt failed");
}

TEST(RecordingComparison, ComparesMessagesOnlyOnRequest) {
  Traffic traffic;
  sendReports(traffic);
  traffic.alter(
      inError("parameter_missing", [](Recorded&, json::object& error) { error["message"] = "Missing."; }));
  EXPECT_THAT(traffic.differences(), IsEmpty());
  EXPECT_THAT(traffic.differences({.messages = true}), ElementsAre("error.message:parameter_missing"));
}

}  // namespace

}  // namespace tally::fake::detail
