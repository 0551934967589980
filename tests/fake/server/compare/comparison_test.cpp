#include "compare/comparison.h"

#include <algorithm>
#include <string>

#include <tally/payment_records.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/traffic.h"
#include "fake/support/requests.h"

namespace tally::fake::detail {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Traffic;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace json = boost::json;

const std::string records = "/v1/payment_records";
const std::string intents = "/v1/payment_intents";

std::string idIn(const HttpResponse& response) {
  return test::text(test::bodyOf(response).at("id"));
}

std::string report(const std::string& id, const std::string& outcome) {
  return records + '/' + id + "/report_payment_attempt_" + outcome;
}

bool isError(const json::object& body, std::string_view code) {
  const auto* error = body.if_contains("error");
  return error != nullptr && error->at("code") == json::string_view{code};
}

/// Lists, reports, errors and searches of records that were there before.
void sendReports(Traffic& traffic) {
  const auto ids = traffic.service.insertMany(traffic.key, "payment_record", 9);
  traffic.get(records + "?limit=4");
  traffic.get(records + "?limit=4&starting_after=" + ids[5]);
  traffic.get(records + "?limit=4&starting_after=" + ids[1]);
  traffic.get(records + "?limit=2&ending_before=" + ids[3]);
  traffic.post(report(ids[8], "failed"), "failed_at=1700000000&metadata[a]=1");
  traffic.get(records + '/' + ids[8]);
  traffic.post(report(ids[8], "canceled"), "canceled_at=1700000000&metadata[a]=");
  traffic.post(report(ids[8], "guaranteed"), "guaranteed_at=1700000000");
  traffic.post(report(ids[8], "failed"), "failed_at=1700000000");
  traffic.post(report(ids[7], "failed"), "failed_at=soon");
  traffic.post(report(ids[7], "failed"));
  traffic.get(records + '/' + ids[8]);
  traffic.get(records + "/pr_none");
  traffic.pause();
  std::string page;
  for (int i = 0; i < 3; ++i) {
    const HttpResponse found = traffic.get(
        records + "/search?limit=4&expand[]=total_count&query=amount_requested.value%3A1000" + page);
    const json::value body = test::bodyOf(found);
    if (const auto* next = body.as_object().if_contains("next_page")) page = "&page=" + test::text(*next);
  }
}

/// Creates, updates and lists payment intents, and creates what depends on others.
void sendCreations(Traffic& traffic) {
  std::string last;
  for (int i = 0; i < 5; ++i)
    last = idIn(traffic.post(intents, "amount=" + std::to_string(100 + i) + "&currency=eur"));
  traffic.post(intents + '/' + last, "description=x");
  traffic.get(intents + '/' + last);
  traffic.get(intents + "?limit=3");
  traffic.get(intents);
  traffic.post(intents, "amount=1&currency=EURO");
  const std::string subscription = idIn(traffic.post("/v1/subscriptions", "quantity=2"));
  traffic.post("/v1/invoices", "subscription=" + subscription);
  traffic.get("/v1/invoices?subscription=" + subscription);
  const std::string account = idIn(traffic.post("/v1/accounts", "country=DE"));
  HttpRequest onBehalf = test::post(traffic.key, "/v1/payouts", "amount=5&currency=usd");
  onBehalf.headers.push_back({"Service-Account", account});
  traffic.send(onBehalf);
  traffic.get("/v1/payouts");
  traffic.get("/v1/accounts");
}

TEST(RecordingComparison, FindsNothingInReportsListsAndSearchesOfTheFake) {
  Traffic traffic;
  sendReports(traffic);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, FindsNothingInCreationsOfTheFake) {
  Traffic traffic;
  sendCreations(traffic);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, FindsNothingInRefusedKeysPathsAndMethods) {
  Traffic traffic;
  traffic.get(records);
  traffic.send(test::get("sk_test_wrong", records));
  traffic.send({.url = records});
  traffic.get("/v1/nothing");
  traffic.send(test::get(traffic.key, records), "DELETE");
  traffic.send(test::get(traffic.account.liveKey, records));
  HttpRequest acting = test::get(traffic.key, records);
  acting.headers.push_back({"Service-Account", "acct_other"});
  traffic.send(acting);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, FindsNothingInABurstRefusedByLimits) {
  Traffic traffic;
  for (int i = 0; i < 3; ++i) {
    std::vector<std::pair<milliseconds, HttpRequest>> burst;
    for (int n = 0; n < 40; ++n)
      burst.emplace_back(3 * n, test::get(traffic.key, n % 2 == 0 ? records : intents));
    traffic.overlap(std::move(burst));
    traffic.pause(milliseconds{300});
  }
  ASSERT_TRUE(
      std::ranges::any_of(traffic.recorded, [](const Recorded& one) { return one.response->status == 429; }));
  EXPECT_THAT(traffic.differences(), IsEmpty());
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

TEST(RecordingComparison, FindsNothingInLockTimeoutsOfTheFake) {
  Traffic traffic;
  sendToOneObject(traffic);
  EXPECT_EQ(std::ranges::count_if(traffic.recorded,
                                  [](const Recorded& one) { return one.response->status == 429; }),
            3);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, SendsRequestsInTheOrderTheyStarted) {
  Traffic traffic;
  sendCreations(traffic);
  std::ranges::reverse(traffic.recorded);
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
                  const json::value failed = body.at("amount_failed");
                  if (failed.at("value") == 0) return false;
                  body["amount_canceled"] = failed;
                  body.at("amount_failed").as_object()["value"] = 0;
                  return true;
                },
                "state:payment_record"},
        Planted{"Metadata", sendReports,
                [](Recorded& one, json::object& body) {
                  if (one.request.url.find("_canceled") == std::string::npos) return false;
                  body["metadata"] = {{"a", ""}};
                  return true;
                },
                "value:payment_records.report_canceled:payment_record.metadata"},
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

TEST(RecordingComparison, FindsACreationThatTheFakeRefuses) {
  Traffic traffic;
  traffic.post(intents, "amount=1&currency=eur");
  traffic.post(intents, "amount=1&currency=EURO");
  traffic.recorded[1].response = traffic.recorded[0].response;
  EXPECT_THAT(traffic.differences(), ElementsAre("accepted:parameter_invalid:currency"));
}

/// Creates two objects that start this long after each other and take 100 ms, and shows them in the other
/// order.
std::vector<std::string> differencesOfTwoCreations(milliseconds apart, const std::string& page) {
  Traffic traffic;
  traffic.service.durations().set("payment_intents.create", milliseconds{100});
  traffic.overlap({{milliseconds{0}, test::post(traffic.key, intents, "amount=1&currency=eur")},
                   {apart, test::post(traffic.key, intents, "amount=2&currency=eur")}});
  traffic.get(intents + page);
  const bool whole = page.empty();
  const json::value older = test::bodyOf(*traffic.recorded[0].response);
  traffic.alter([&](Recorded& one, json::object& body) {
    if (one.request.method != Method::get) return false;
    json::array& data = body.at("data").as_array();
    if (whole) {
      std::ranges::reverse(data);
    } else {
      data[0] = older;
    }
    return true;
  });
  return traffic.differences();
}

TEST(RecordingComparison, AcceptsEitherOrderOfObjectsCreatedAtTheSameTime) {
  EXPECT_THAT(differencesOfTwoCreations(milliseconds{10}, ""), IsEmpty());
  EXPECT_THAT(differencesOfTwoCreations(milliseconds{200}, ""), ElementsAre("order:list"));
}

TEST(RecordingComparison, AcceptsEitherObjectOfTheSameTimeAsTheFirst) {
  EXPECT_THAT(differencesOfTwoCreations(milliseconds{10}, "?limit=1"), IsEmpty());
  EXPECT_THAT(differencesOfTwoCreations(milliseconds{200}, "?limit=1"), ElementsAre("elements:list"));
}

TEST(RecordingComparison, FindsHasMoreWhereAnotherPageShowsTheEnd) {
  Traffic traffic;
  traffic.service.insertMany(traffic.key, "payment_record", 4);
  traffic.get(records + "?limit=4");
  traffic.get(records + "?limit=10");
  traffic.alter([](Recorded& one, json::object& body) {
    body["has_more"] = one.request.url.ends_with("limit=4");
    return true;
  });
  EXPECT_THAT(traffic.differences(), ElementsAre("has_more:list"));
}

/// Searches four pages of two records, the cursor being the first parameter or the last.
void searchPages(Traffic& traffic, bool cursorFirst) {
  traffic.service.insertMany(traffic.key, "payment_record", 8);
  traffic.pause();
  const std::string query = "limit=2&query=amount_requested.value%3A1000";
  std::string cursor;
  for (int i = 0; i < 4; ++i) {
    const std::string page = cursor.empty() ? query
                             : cursorFirst  ? "page=" + cursor + '&' + query
                                            : query + "&page=" + cursor;
    const json::value body = test::bodyOf(traffic.get(records + "/search?" + page));
    const auto* next = body.as_object().if_contains("next_page");
    cursor = next == nullptr ? std::string{} : test::text(*next);
  }
}

TEST(RecordingComparison, FollowsCursorsWhereverTheyAreInTheQuery) {
  for (const bool first : {false, true}) {
    Traffic traffic;
    searchPages(traffic, first);
    // The service has other cursors than the fake.
    for (Recorded& one : traffic.recorded) {
      const auto mark = [](std::string& text, const std::string& before) {
        if (const auto at = text.find(before); at != std::string::npos)
          text.insert(at + before.size(), "svc");
      };
      mark(one.request.url, "page=");
      mark(one.response->body, R"("next_page":")");
    }
    EXPECT_THAT(traffic.differences(), IsEmpty()) << first;
  }
}

TEST(RecordingComparison, FindsACursorBeyondTheLastPage) {
  Traffic traffic;
  searchPages(traffic, false);
  Recorded beyond = traffic.recorded.back();
  beyond.number = traffic.recorded.size() + 1;
  beyond.start += seconds{1};
  beyond.end += seconds{1};
  const auto at = beyond.request.url.find("page=");
  beyond.request.url.replace(at, std::string::npos, "page=beyond");
  traffic.alter([&](Recorded& one, json::object& body) {
    if (one.number != traffic.recorded.size()) return false;
    body["has_more"] = true;
    body["next_page"] = "beyond";
    return true;
  });
  traffic.recorded.push_back(beyond);
  EXPECT_THAT(traffic.differences(), ElementsAre("has_more:search", "accepted:parameter_invalid:page"));
}

TEST(RecordingComparison, NamesTheSectionAndTheAssumption) {
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

/// The assumption that a page without its first object refutes; the pages are those of sendReports().
std::string assumptionOfPage(const std::string& query) {
  Traffic traffic;
  sendReports(traffic);
  bool altered = false;
  traffic.alter([&](Recorded& one, json::object& body) {
    if (altered || one.request.url.find(query) == std::string::npos) return false;
    json::array& data = body.at("data").as_array();
    data.erase(data.begin());
    return altered = true;
  });
  for (const Deviation& found : traffic.compare().differences())
    if (found.id.starts_with("elements:")) return std::string{found.rule.assumption->key};
  return {};
}

TEST(RecordingComparison, NamesTheAssumptionThatAPageRefutes) {
  EXPECT_EQ(assumptionOfPage("starting_after"), "list_order");
  EXPECT_EQ(assumptionOfPage("ending_before"), "ending_before");
  EXPECT_EQ(assumptionOfPage("/search"), "query_language");
  EXPECT_EQ(assumptionOfPage("&page="), "search_cursor");
}

/// The service processed the later one of two overlapping reports first, and therefore refused the other.
TEST(RecordingComparison, DoesNotJudgeWhichOfTwoReportsCameFirst) {
  Traffic traffic;
  const std::string id = traffic.service.insertMany(traffic.key, "payment_record", 1).front();
  traffic.get(records + '/' + id);
  traffic.pause();
  traffic.post(report(id, "guaranteed"), "guaranteed_at=1");
  traffic.post(report(id, "failed"), "failed_at=1");
  traffic.get(records + '/' + id);
  Recorded& guaranteed = traffic.recorded[1];
  Recorded& refused = traffic.recorded[2];
  ASSERT_EQ(refused.response->status, 400);
  refused.start = guaranteed.start - milliseconds{20};
  refused.end = guaranteed.end = guaranteed.start + milliseconds{100};
  traffic.recorded[3].start = traffic.recorded[3].end = guaranteed.end + seconds{1};
  const Findings found = traffic.compare();
  EXPECT_THAT(found.differences(), IsEmpty());
  EXPECT_THAT(found.unjudged(), Contains(Field(&Unjudged::text, HasSubstr("while another request changed"))));
}

TEST(RecordingComparison, NamesTheRuleOfAnEffect) {
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

TEST(RecordingComparison, DoesNotJudgeAReadDuringAReport) {
  for (const bool isLate : {false, true}) {
    Traffic traffic;
    traffic.service.durations().set("payment_records.report_failed", milliseconds{100});
    const std::string id = traffic.service.insertMany(traffic.key, "payment_record", 1).front();
    const std::string before = traffic.get(records + '/' + id).body;
    traffic.overlap({{milliseconds{0}, test::post(traffic.key, report(id, "failed"), "failed_at=1")},
                     {milliseconds{30}, test::get(traffic.key, records + '/' + id)}});
    const std::string after = traffic.get(records + '/' + id).body;
    traffic.recorded[2].response->body = isLate ? after : before;
    EXPECT_THAT(traffic.differences(), IsEmpty()) << isLate;
  }
}

/// A read that shows the state before a report, and overlaps it by this time. Fractions: of a millisecond, in
/// all recorded times.
std::vector<std::string> differencesOfOverlap(std::chrono::microseconds overlap,
                                              std::chrono::microseconds fraction) {
  Traffic traffic;
  const std::string id = traffic.service.insertMany(traffic.key, "payment_record", 1).front();
  const std::string before = traffic.get(records + '/' + id).body;
  traffic.pause();
  traffic.post(report(id, "failed"), "failed_at=1");
  traffic.pause();
  traffic.get(records + '/' + id);
  Recorded& reported = traffic.recorded[1];
  Recorded& read = traffic.recorded[2];
  read.response->body = before;
  reported.end = reported.start + milliseconds{100};
  read.start = reported.end - overlap;
  read.end = reported.end + milliseconds{50};
  for (Recorded& one : traffic.recorded) {
    one.start += fraction;
    one.end += fraction;
  }
  return traffic.differences();
}

TEST(RecordingComparison, JudgesOverlapsByTheResolutionOfRecordedTimes) {
  using std::chrono::microseconds;
  EXPECT_THAT(differencesOfOverlap(microseconds{1'000}, {}), ElementsAre("state:payment_record"));
  EXPECT_THAT(differencesOfOverlap(microseconds{2'000}, {}), IsEmpty());
  EXPECT_THAT(differencesOfOverlap(microseconds{1'000}, microseconds{250}), IsEmpty());
}

TEST(RecordingComparison, FindsNothingInRequestsForAnAccountThatExistedBefore) {
  Traffic traffic;
  const Account other = traffic.service.addAccount();
  traffic.service.connections().connect(traffic.account, other);
  for (int n = 0; n < 2; ++n) {
    HttpRequest acting = test::post(traffic.key, "/v1/payouts", "amount=5&currency=usd");
    acting.headers.push_back({"Service-Account", other.id});
    traffic.send(acting);
  }
  EXPECT_EQ(traffic.recorded[1].response->status, 200);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// Such as those with a key that was revoked during the recording.
TEST(RecordingComparison, DoesNotCountUnauthorizedRequestsAgainstLimits) {
  Traffic traffic;
  traffic.get(records);
  const HttpResponse unauthorized = traffic.send(test::get("sk_test_wrong", records));
  ASSERT_EQ(unauthorized.status, 401);
  traffic.pause();
  std::vector<std::pair<milliseconds, HttpRequest>> burst;
  for (int n = 0; n < 60; ++n)
    burst.emplace_back(2 * n, test::get(traffic.key, records));
  traffic.overlap(std::move(burst));
  for (Recorded& one : traffic.recorded)
    if (one.number > 2) one.response = unauthorized;
  EXPECT_THAT(traffic.differences(), ElementsAre(StartsWith("refused:payment_records.list:")));
}

TEST(RecordingComparison, ComparesMessagesOnlyOnRequest) {
  Traffic traffic;
  sendReports(traffic);
  traffic.alter(
      inError("parameter_missing", [](Recorded&, json::object& error) { error["message"] = "Missing."; }));
  EXPECT_THAT(traffic.differences(), IsEmpty());
  EXPECT_THAT(traffic.differences({.messages = true}), ElementsAre("error.message:parameter_missing"));
}

TEST(RecordingComparison, ReportsTwoDifferencesInOneObject) {
  Traffic traffic;
  sendReports(traffic);
  traffic.alterObjects("payment_record", [](json::object& o) { o.erase("description"); });
  traffic.alter([](Recorded& one, json::object& body) {
    if (one.request.url.find("_canceled") == std::string::npos) return false;
    body["metadata"] = {{"a", ""}};
    return true;
  });
  EXPECT_THAT(traffic.differences(),
              ElementsAre("missing:payment_record.description",
                          "value:payment_records.report_canceled:payment_record.metadata"));
}

TEST(RecordingComparison, ReportsOnlyTheRefusalOfARequestThatTheFakeAccepts) {
  Traffic traffic;
  const std::string id = traffic.service.insertMany(traffic.key, "payment_record", 1).front();
  traffic.get(records + '/' + id);
  traffic.post(report(id, "failed"), "failed_at=1");
  traffic.get(records + '/' + id);
  const std::string original = traffic.recorded[0].response->body;
  traffic.recorded[1].response = HttpResponse{
      .status = 400,
      .headers = traffic.recorded[1].response->headers,
      .body = R"({"error":{"type":"invalid_request_error","code":"too_late","message":"Too late."}})"};
  traffic.recorded[2].response->body = original;
  EXPECT_THAT(traffic.differences(), ElementsAre("refused:payment_records.report_failed:too_late"));
}

TEST(RecordingComparison, FindsAMissingError) {
  Traffic traffic;
  traffic.get(records + "?limit=0");
  traffic.get(records);
  traffic.recorded[0].response = traffic.recorded[1].response;
  EXPECT_THAT(traffic.differences(), ElementsAre("accepted:parameter_invalid:limit"));
}

TEST(RecordingComparison, ReportsADifferenceFoundInAllReadsOnlyOnce) {
  Traffic traffic;
  sendReports(traffic);
  traffic.alterObjects("payment_record", [](json::object& o) { o["livemode"] = true; });
  EXPECT_THAT(traffic.differences(), ElementsAre("value:payment_record.livemode"));
}

TEST(RecordingComparison, DoesNotJudgeChangesOfRequestsWithoutAResponse) {
  Traffic traffic;
  const std::string id = traffic.service.insertMany(traffic.key, "payment_record", 1).front();
  traffic.get(records + '/' + id);
  traffic.post(report(id, "failed"), "failed_at=1");
  traffic.get(records + '/' + id);
  traffic.recorded[1].response.reset();
  const Findings found = traffic.compare();
  EXPECT_THAT(found.differences(), IsEmpty());
  EXPECT_THAT(found.unjudged(),
              ElementsAre(Field(&Unjudged::text, "requests without a response from the service")));
}

TEST(RecordingComparison, DoesNotJudgeTheStateBeforeTheRecording) {
  Traffic traffic;
  const std::string failed =
      traffic.service.insertMany(traffic.key, "payment_record", 1, "{}", "failed").front();
  const std::string final =
      traffic.service.insertMany(traffic.key, "payment_record", 1, "{}", "guaranteed").front();
  traffic.post(report(failed, "canceled"), "canceled_at=1&metadata[a]=b");
  traffic.post(report(final, "canceled"), "canceled_at=1");
  traffic.get(records);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, DoesNotJudgeObjectsMissingFromEveryPage) {
  Traffic traffic;
  traffic.service.insertMany(traffic.key, "payment_record", 20);
  traffic.get(records + "?limit=5");
  EXPECT_THAT(traffic.differences(), IsEmpty());
  EXPECT_THAT(traffic.compare().unjudged(), ElementsAre(Field(&Unjudged::text, HasSubstr("has_more"))));
}

TEST(RecordingComparison, DoesNotJudgeThePositionOfUnlistedObjects) {
  Traffic traffic;
  const auto ids = traffic.service.insertMany(traffic.key, "payment_record", 12);
  for (const std::size_t n : {11U, 10U, 6U})
    traffic.get(records + '/' + ids[n]);
  traffic.get(records + "?limit=3&starting_after=" + ids[4]);
  traffic.get(records + "?limit=3&starting_after=" + ids[1]);
  traffic.get(records + "?limit=3&ending_before=" + ids[2]);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// Objects created in the middle of a second, as a recorder shows them whose clock is ahead.
std::vector<std::string> differencesOfClocks(milliseconds ahead, const std::string& date = {}) {
  Traffic traffic;
  traffic.pause(milliseconds{500});
  sendCreations(traffic);
  for (Recorded& one : traffic.recorded) {
    if (!date.empty()) one.response->headers.push_back({"Date", date});
    one.start += ahead;
    one.end += ahead;
  }
  return traffic.differences();
}

TEST(RecordingComparison, UsesTheDateHeaderToCompareClocks) {
  const std::string date = "Thu, 01 Jan 2026 00:00:00 GMT";
  EXPECT_THAT(differencesOfClocks(std::chrono::hours{5}, date), IsEmpty());
  EXPECT_THAT(differencesOfClocks(std::chrono::hours{-5}, date), IsEmpty());
  EXPECT_THAT(differencesOfClocks(seconds{2}, date), IsEmpty());
  EXPECT_THAT(differencesOfClocks(seconds{-2}, date), IsEmpty());
}

TEST(RecordingComparison, FindsNothingIfClocksDifferByLessThanASecond) {
  EXPECT_THAT(differencesOfClocks(milliseconds{900}), IsEmpty());
  EXPECT_THAT(differencesOfClocks(milliseconds{-900}), IsEmpty());
  EXPECT_THAT(differencesOfClocks(seconds{3}),
              Contains("value:payment_intents.create:payment_intent.created"));
}

}  // namespace

}  // namespace tally::fake::detail
