#include <algorithm>
#include <string>
#include <vector>

#include <tally/invoices.h>
#include <tally/subscriptions.h>

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
using test::sendReports;
using test::Traffic;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

namespace json = boost::json;

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

/// Objects of one second before the recording, oldest first.
std::vector<std::string> recordsBefore(Traffic& traffic, std::size_t count) {
  auto ids = traffic.service.insertMany(traffic.key, "payment_record", count);
  traffic.pause(seconds{10});
  return ids;
}

TEST(RecordingComparison, InfersTheOrderOfObjectsFromTheEndsOfTheList) {
  Traffic traffic;
  const auto ids = recordsBefore(traffic, 4);
  traffic.get(records + '/' + ids[0]);
  traffic.get(records + "?starting_after=" + ids[0]);
  traffic.get(records + "?limit=1&starting_after=" + ids[3]);
  traffic.get(records + "?ending_before=" + ids[3]);
  traffic.get(records + "?limit=2");
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// All objects are of the same second.
TEST(RecordingComparison, InfersThatObjectsAreNewerThanAWholeListWithoutThem) {
  Traffic traffic;
  traffic.service.insertMany(traffic.key, "payment_record", 3);
  traffic.get(records);
  traffic.service.insertMany(traffic.key, "payment_record", 2);
  traffic.get(records + "/search?limit=1&query=amount_requested.value%3A1000");
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, InfersTheOrderOfObjectsThatTwoKeysOfAnAccountList) {
  Traffic traffic;
  const auto ids = recordsBefore(traffic, 6);
  const std::string token = traffic.service.tokens().add(traffic.account, false);
  traffic.get(records + "?limit=2");
  traffic.get(records + '/' + ids[0]);
  traffic.get(records + "?starting_after=" + ids[0]);
  traffic.send(test::get(token, records + "?limit=3&starting_after=" + ids[4]));
  traffic.send(test::get(token, records + '/' + ids[5]));
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, AcceptsEitherOrderOfConcurrentlyCreatedObjects) {
  EXPECT_THAT(differencesOfTwoCreations(milliseconds{10}, ""), IsEmpty());
  EXPECT_THAT(differencesOfTwoCreations(milliseconds{200}, ""), ElementsAre("order:list"));
}

TEST(RecordingComparison, AcceptsEitherOfTwoConcurrentlyCreatedObjectsAsTheFirst) {
  EXPECT_THAT(differencesOfTwoCreations(milliseconds{10}, "?limit=1"), IsEmpty());
  EXPECT_THAT(differencesOfTwoCreations(milliseconds{200}, "?limit=1"), ElementsAre("elements:list"));
}

TEST(RecordingComparison, FindsAWrongHasMoreOnTheLastPage) {
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

TEST(RecordingComparison, FollowsCursorsAnywhereInTheQuery) {
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
  EXPECT_THAT(traffic.differences(), ElementsAre("has_more:search"));
}

/// Searches all records page by page. Inserts as many as `inserted` after each page but the last.
void searchAll(Traffic& traffic, const std::string& params, std::size_t inserted = 0) {
  std::string page;
  do {
    const json::value body = test::bodyOf(traffic.get(records + "/search?" + params + page));
    const auto* next = body.as_object().if_contains("next_page");
    page = next == nullptr ? std::string{} : "&page=" + test::text(*next);
    if (!page.empty()) traffic.service.insertMany(traffic.key, "payment_record", inserted);
  } while (!page.empty());
}

/// All objects are of the same second, and another search shows those of the second page first.
TEST(RecordingComparison, LearnsTheOrderOfObjectsFromTheCursorsOfASearch) {
  Traffic traffic;
  traffic.service.insertMany(traffic.key, "payment_record", 2,
                             R"({"amount_requested":{"currency":"usd","value":5}})");
  traffic.service.insertMany(traffic.key, "payment_record", 2);
  traffic.pause();
  searchAll(traffic, "limit=2&query=amount_requested.value%3A5");
  searchAll(traffic, "limit=2&query=amount_requested.value%3E0");
  ASSERT_EQ(traffic.recorded.size(), 3U);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// A recording may begin in the middle of a search.
TEST(RecordingComparison, DoesNotJudgePagesAfterACursorThatNoRecordedPageShows) {
  Traffic traffic;
  traffic.service.insertMany(traffic.key, "payment_record", 9);
  traffic.pause();
  searchAll(traffic, "limit=2&query=amount_requested.value%3A1000");
  traffic.recorded.erase(traffic.recorded.begin(), traffic.recorded.begin() + 2);
  EXPECT_THAT(traffic.differences(), IsEmpty());
  EXPECT_THAT(traffic.compare().unjudged(),
              ElementsAre(Field(&Unjudged::text, HasSubstr("cursor that no recorded page shows"))));
}

TEST(RecordingComparison, JudgesTheCountOfASearchOnlyIfAllItsPagesAreRecorded) {
  Traffic traffic;
  const std::vector<std::string> ids = recordsBefore(traffic, 9);
  traffic.get(records + '/' + ids.front());
  searchAll(traffic, "limit=4&expand[]=total_count&query=amount_requested.value%3A1000");
  Traffic partial;
  partial.recorded = {traffic.recorded[0], traffic.recorded[1], traffic.recorded.back()};
  EXPECT_THAT(partial.differences(), IsEmpty());
  EXPECT_THAT(partial.compare().unjudged(), Contains(Field(&Unjudged::text, HasSubstr("total_count"))));
  traffic.alter([](Recorded& one, json::object& body) {
    if (one.number == 1) return false;
    body["total_count"] = 10;
    return true;
  });
  EXPECT_THAT(traffic.differences(), ElementsAre("value:search_result.total_count"));
}

TEST(RecordingComparison, DoesNotJudgeTheCountOfLaterPagesOfASearch) {
  Traffic traffic;
  (void)recordsBefore(traffic, 9);
  searchAll(traffic, "limit=4&expand[]=total_count&query=amount_requested.value%3A1000", 1);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// The service has smaller pages, so its cursors follow other objects than those of the fake.
TEST(RecordingComparison, ReportsTheSizeOfPagesOfASearchOnce) {
  Traffic traffic;
  traffic.service.insertMany(traffic.key, "payment_record", 5);
  traffic.get(records);
  traffic.pause();
  searchAll(traffic, "limit=1&query=amount_requested.value%3A1000");
  for (Recorded& one : traffic.recorded)
    if (const auto at = one.request.url.find("limit=1"); at != std::string::npos)
      one.request.url.replace(at, 7, "limit=2");
  EXPECT_THAT(traffic.differences(), ElementsAre("page_size:search"));
}

TEST(RecordingComparison, JudgesPagesAgainOnceTheCursorsOfASearchAgree) {
  Traffic traffic;
  traffic.service.insertMany(traffic.key, "payment_record", 8);
  traffic.get(records);
  traffic.pause();
  searchAll(traffic, "limit=2&query=amount_requested.value%3A1000");
  traffic.alter([](Recorded& one, json::object& body) {
    json::array& data = body.at("data").as_array();
    if (one.number == 2) data.pop_back();
    if (one.number == 4) data.erase(data.begin());
    return true;
  });
  EXPECT_THAT(traffic.differences(), ElementsAre("page_size:search", "elements:search:page"));
}

/// The fake learns that an object matches when a page shows it. So it ends before the recorded pages do.
TEST(RecordingComparison, DoesNotJudgePagesOfASearchForObjectsThatNothingElseShows) {
  Traffic traffic;
  traffic.service.insertMany(traffic.key, "payment_record", 6,
                             R"({"amount_requested":{"currency":"usd","value":5}})");
  traffic.pause();
  searchAll(traffic, "limit=2&query=amount_requested.value%3A5");
  ASSERT_EQ(traffic.recorded.size(), 3U);
  EXPECT_THAT(traffic.differences(), IsEmpty());
  EXPECT_THAT(traffic.compare().unjudged(),
              Contains(Field(&Unjudged::text, HasSubstr("after the last one of the fake"))));
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

TEST(RecordingComparison, ReportsTheAssumptionThatAPageRefutes) {
  EXPECT_EQ(assumptionOfPage("starting_after"), "list_order");
  EXPECT_EQ(assumptionOfPage("ending_before"), "ending_before");
  EXPECT_EQ(assumptionOfPage("/search"), "query_language");
  EXPECT_EQ(assumptionOfPage("&page="), "search_cursor");
}

TEST(RecordingComparison, DoesNotJudgeObjectsMissingFromEveryPage) {
  Traffic traffic;
  traffic.service.insertMany(traffic.key, "payment_record", 20);
  traffic.get(records + "?limit=5");
  EXPECT_THAT(traffic.differences(), IsEmpty());
  EXPECT_THAT(traffic.compare().unjudged(), ElementsAre(Field(&Unjudged::text, HasSubstr("has_more"))));
}

TEST(RecordingComparison, DoesNotJudgeHasMoreByAnEmptyPageAfterAnObjectThatNoResponseShows) {
  Traffic traffic;
  const auto ids = traffic.service.insertMany(traffic.key, "payment_record", 5);
  traffic.get(records + "?limit=1");
  traffic.get(records + "?limit=1&starting_after=" + ids.front());
  EXPECT_THAT(traffic.differences(), IsEmpty());
  EXPECT_THAT(traffic.compare().unjudged(), ElementsAre(Field(&Unjudged::text, HasSubstr("has_more"))));
}

TEST(RecordingComparison, DoesNotJudgeHasMoreByAnEmptyPageAfterAnObjectThatTheFilterExcludes) {
  Traffic traffic;
  const auto other = traffic.service.insert<Invoice>(traffic.key).id.str();
  traffic.pause();
  const auto subscription = traffic.service.insert<Subscription>(traffic.key).id;
  for (int i = 0; i < 2; ++i)
    traffic.service.insert<Invoice>(traffic.key, [&](Invoice& one) { one.subscription = subscription; });
  const std::string newest = "/v1/invoices?limit=1&subscription=" + subscription.str();
  traffic.get("/v1/subscriptions/" + subscription.str());
  traffic.get("/v1/invoices/" + other);
  traffic.get(newest);
  ASSERT_EQ(traffic.get(newest + "&starting_after=" + other).status, 200);
  EXPECT_THAT(traffic.differences(), IsEmpty());
  EXPECT_THAT(traffic.compare().unjudged(), ElementsAre(Field(&Unjudged::text, HasSubstr("has_more"))));
}

TEST(RecordingComparison, JudgesHasMoreByAnEmptyPageAfterAnObjectThatAResponseShows) {
  Traffic traffic;
  const auto ids = traffic.service.insertMany(traffic.key, "payment_record", 5);
  traffic.get(records + "?limit=4");
  traffic.get(records + '/' + ids.front());
  traffic.get(records + "?starting_after=" + ids.front());
  EXPECT_THAT(traffic.compare().unjudged(), IsEmpty());
  EXPECT_THAT(traffic.differences(), IsEmpty());
  traffic.alter([](Recorded& one, json::object& body) {
    const bool isFirst = one.request.url.ends_with("limit=4");
    if (isFirst) body["has_more"] = false;
    return isFirst;
  });
  EXPECT_THAT(traffic.differences(), ElementsAre("has_more:list"));
}

TEST(RecordingComparison, AdoptsTheOrderOfPartsOfAListThatNoPageConnects) {
  Traffic traffic;
  const auto ids = traffic.service.insertMany(traffic.key, "payment_record", 6);
  traffic.pause();
  const std::string ofTwo = records + "?limit=1&ending_before=";
  traffic.get(ofTwo + ids[0]);
  traffic.get(ofTwo + ids[2]);
  traffic.get(records + "/search?limit=2&query=created%3E0");
  traffic.get(ofTwo + ids[0]);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, FindsAnotherOrderWithinAPartOfAListThatNoPageConnectsWithOthers) {
  Traffic traffic;
  const auto ids = traffic.service.insertMany(traffic.key, "payment_record", 6);
  traffic.pause();
  traffic.get(records + "?limit=2&ending_before=" + ids[0]);
  const std::string search = records + "/search?limit=3&query=created%3E0";
  traffic.get(search);
  traffic.get(search);
  std::size_t pages = 0;
  traffic.alter([&](Recorded& one, json::object& body) {
    if (one.request.url != search || ++pages != 2) return false;
    std::swap(body.at("data").as_array()[0], body.at("data").as_array()[1]);
    return true;
  });
  EXPECT_THAT(traffic.differences(), ElementsAre("order:search"));
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

/// In the fake, the unlisted object is the oldest of its second, so the page lacks a newer one at its start.
TEST(RecordingComparison, DoesNotJudgeThePositionOfAnUnlistedObjectOnAPageBeforeAnother) {
  Traffic traffic;
  const auto older = traffic.service.insertMany(traffic.key, "payment_record", 3);
  traffic.pause();
  const auto newer = recordsBefore(traffic, 4);
  for (const std::string& id : {newer[3], older[0]})
    traffic.get(records + '/' + id);
  traffic.get(records + "?limit=4&ending_before=" + older[0]);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

}  // namespace

}  // namespace tally::fake::detail
