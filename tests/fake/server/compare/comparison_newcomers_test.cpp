#include <algorithm>
#include <functional>
#include <string>
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
using test::Traffic;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

namespace json = boost::json;

/// Between a request and the creation of an object, and between that and the next request.
constexpr milliseconds gaps[] = {milliseconds{0}, milliseconds{300}, milliseconds{1'500}, seconds{10}};

/// Creates an object otherwise than by a recorded request.
std::string create(Traffic& traffic, const std::string& resource = "payment_intent") {
  return traffic.service.insertMany(traffic.key, resource, 1).front();
}

TEST(RecordingComparison, FindsNoDifferenceInListsBeforeAnObjectIsCreatedOutsideTheRecording) {
  for (const milliseconds gap : gaps) {
    for (const std::string page : {"", "?limit=1", "?limit=2"}) {
      Traffic traffic;
      for (int n = 0; n < 2; ++n)
        create(traffic);
      for (int n = 0; n < 3; ++n) {
        traffic.pause(gap);
        traffic.get(intents + page);
        traffic.pause(gap);
        create(traffic);
      }
      traffic.get(intents);
      EXPECT_THAT(traffic.differences(), IsEmpty()) << gap.count() << page;
    }
  }
}

/// A recorder that keeps milliseconds shows both requests at the same time.
TEST(RecordingComparison, FindsNoDifferenceInAListInTheMillisecondInWhichANewObjectIsShown) {
  Traffic traffic{{.seed = 7, .duration = std::chrono::nanoseconds{0}}};
  traffic.pause();
  traffic.get(intents);
  const std::string id = create(traffic);
  traffic.get(intents + '/' + id);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, FindsNoDifferenceInRequestsForAnObjectThatDoesNotExistYet) {
  for (const milliseconds gap : gaps) {
    Traffic traffic;
    traffic.get(records + "/pr_later");
    traffic.post(report("pr_later", "failed"), "failed_at=1");
    traffic.pause(gap);
    const std::string id = create(traffic, "payment_record");
    traffic.pause(gap);
    traffic.get(records + '/' + id);
    for (Recorded& one : traffic.recorded)
      if (const auto at = one.request.url.find("pr_later"); at != std::string::npos)
        one.request.url.replace(at, 8, id);
    EXPECT_THAT(traffic.differences(), IsEmpty()) << gap.count();
  }
}

/// Sends requests that name an object by `later` in a parameter, and then creates it.
std::vector<std::string> differencesOfEarlyParams(milliseconds gap, const std::string& resource,
                                                  const std::string& later,
                                                  const std::function<void(Traffic&)>& sendEarly) {
  Traffic traffic;
  sendEarly(traffic);
  traffic.pause(gap);
  const std::string id = create(traffic, resource);
  traffic.pause(gap);
  traffic.get("/v1/" + resource + "s/" + id);
  for (Recorded& one : traffic.recorded)
    for (std::string* text : {&one.request.url, &one.request.body})
      if (const auto at = text->find(later); at != std::string::npos) text->replace(at, later.size(), id);
  return traffic.differences();
}

TEST(RecordingComparison, FindsNoDifferenceInRequestsWithParametersForAnObjectThatDoesNotExistYet) {
  for (const milliseconds gap : gaps) {
    EXPECT_THAT(differencesOfEarlyParams(gap, "subscription", "sub_later",
                                         [](Traffic& traffic) {
                                           traffic.post("/v1/invoices", "subscription=sub_later");
                                           traffic.get("/v1/invoices?subscription=sub_later");
                                         }),
                IsEmpty())
        << gap.count();
    EXPECT_THAT(
        differencesOfEarlyParams(gap, "payment_intent", "pi_later",
                                 [](Traffic& traffic) { traffic.get(intents + "?starting_after=pi_later"); }),
        IsEmpty())
        << gap.count();
  }
}

TEST(RecordingComparison, FindsNoDifferenceInListsBeforeACreationWithoutAResponse) {
  Traffic traffic;
  traffic.get(intents);
  traffic.pause(seconds{10});
  traffic.post(intents, "amount=1&currency=eur");
  traffic.pause(seconds{10});
  traffic.get(intents);
  traffic.recorded[1].response.reset();
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, FindsAListThatLacksAnObjectLongAfterItsCreation) {
  Traffic traffic;
  create(traffic);
  const std::string without = traffic.get(intents).body;
  traffic.pause(seconds{10});
  create(traffic);
  for (int n = 0; n < 2; ++n) {
    traffic.pause(seconds{3});
    traffic.get(intents);
  }
  traffic.recorded[1].response->body = without;
  EXPECT_THAT(traffic.differences(), ElementsAre("elements:list"));
}

TEST(RecordingComparison, FindsAListThatLacksAnObjectOlderThanOthersOnIt) {
  Traffic traffic;
  for (int n = 0; n < 2; ++n)
    create(traffic);
  for (int n = 0; n < 2; ++n)
    traffic.get(intents);
  traffic.alter([](Recorded& one, json::object& body) {
    if (one.number != 1) return false;
    body.at("data").as_array().pop_back();
    return true;
  });
  EXPECT_THAT(traffic.differences(), ElementsAre("elements:list"));
}

TEST(RecordingComparison, FindsAListThatLacksAnObjectThatAnEarlierOneShows) {
  Traffic traffic;
  const std::string without = traffic.get(intents).body;
  const std::string id = create(traffic);
  traffic.get(intents + '/' + id);
  traffic.pause(milliseconds{100});
  traffic.get(intents);
  traffic.recorded[2].response->body = without;
  EXPECT_THAT(traffic.differences(), ElementsAre("elements:list"));
}

/// An object that is created beside the recording, shortly before or after a recorded creation.
std::vector<std::string> differencesOfCreations(bool recordedFirst, milliseconds gap, milliseconds ahead) {
  Traffic traffic;
  traffic.get(intents);
  traffic.pause(milliseconds{1'800});
  if (!recordedFirst) create(traffic);
  traffic.pause(gap);
  traffic.post(intents, "amount=1&currency=eur");
  traffic.pause(gap);
  if (recordedFirst) create(traffic);
  traffic.pause(seconds{5});
  traffic.get(intents + "?limit=1");
  traffic.get(intents);
  for (Recorded& one : traffic.recorded) {
    one.start += ahead;
    one.end += ahead;
  }
  return traffic.differences();
}

TEST(RecordingComparison, AcceptsEitherOrderOfARecordedAndAnUnrecordedCreation) {
  for (const bool recordedFirst : {false, true})
    for (const milliseconds gap : {milliseconds{0}, milliseconds{150}, milliseconds{300}})
      for (const milliseconds ahead : {milliseconds{-900}, milliseconds{0}, milliseconds{900}})
        EXPECT_THAT(differencesOfCreations(recordedFirst, gap, ahead), IsEmpty())
            << recordedFirst << ' ' << gap.count() << ' ' << ahead.count();
}

/// The recorded requests have no duration.
TEST(RecordingComparison, AcceptsAnUnrecordedCreationBetweenTwoRecordedOnes) {
  Traffic traffic;
  traffic.get(intents);
  traffic.pause(seconds{10});
  traffic.post(intents, "amount=1&currency=eur");
  traffic.pause(milliseconds{100});
  create(traffic);
  traffic.pause(milliseconds{100});
  traffic.post(intents, "amount=1&currency=eur");
  traffic.pause(seconds{5});
  traffic.get(intents + "?limit=2");
  traffic.get(intents);
  for (Recorded& one : traffic.recorded)
    one.end = one.start;
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// A page next to an object that was created, in the same second, after or before one whose creation is
/// recorded.
std::vector<std::string> differencesNextToACreation(bool recordedFirst, const std::string& cursor) {
  Traffic traffic;
  (void)create(traffic);
  traffic.pause(seconds{10});
  if (recordedFirst) traffic.post(intents, "amount=1&currency=eur");
  const std::string id = create(traffic);
  if (!recordedFirst) traffic.post(intents, "amount=1&currency=eur");
  traffic.pause(milliseconds{10});
  traffic.get(intents + '?' + cursor + '=' + id);
  traffic.get(intents + '/' + id);
  return traffic.differences();
}

TEST(RecordingComparison, AcceptsEitherOrderOfTwoCreationsNextToACursor) {
  for (const bool recordedFirst : {false, true})
    for (const std::string cursor : {"starting_after", "ending_before"})
      EXPECT_THAT(differencesNextToACreation(recordedFirst, cursor), IsEmpty()) << recordedFirst << cursor;
}

TEST(RecordingComparison, KeepsTheOrderOfObjectsAroundTheCursorNextToACreation) {
  for (const std::string cursor : {"starting_after", "ending_before"}) {
    Traffic traffic;
    if (cursor == "starting_after") traffic.post(intents, "amount=1&currency=eur");
    const auto ids = traffic.service.insertMany(traffic.key, "payment_intent", 6);
    if (cursor == "ending_before") traffic.post(intents, "amount=1&currency=eur");
    traffic.pause(milliseconds{10});
    traffic.get(intents + "?limit=4&" + cursor + '=' + ids[3]);
    traffic.get(intents + "?limit=3");
    traffic.get(intents);
    EXPECT_THAT(traffic.differences(), IsEmpty()) << cursor;
  }
}

/// A slow list begins before a recorded creation and shows its object. Other lists meanwhile end before it.
TEST(RecordingComparison, FindsNoDifferenceInListsBeforeACreationThatASlowerListShows) {
  for (const std::string page : {"", "?limit=1"}) {
    Traffic traffic;
    create(traffic);
    traffic.pause(seconds{10});
    traffic.get(intents);
    for (int n = 0; n < 2; ++n) {
      traffic.pause(seconds{1});
      traffic.post(intents, "amount=1&currency=eur");
    }
    traffic.get(intents + page);
    traffic.get(intents);
    traffic.recorded[3].start -= seconds{5};
    EXPECT_THAT(traffic.differences(), IsEmpty()) << page;
  }
}

TEST(RecordingComparison, FindsAListThatLacksARecordedCreationThatASlowerListShows) {
  Traffic traffic;
  const std::string without = traffic.get(intents).body;
  traffic.pause(seconds{1});
  traffic.post(intents, "amount=1&currency=eur");
  for (int n = 0; n < 2; ++n)
    traffic.get(intents);
  traffic.recorded[2].start -= seconds{5};
  traffic.recorded[3].response->body = without;
  EXPECT_THAT(traffic.differences(), ElementsAre("elements:list"));
}

/// Only an object whose creation is recorded can be one that the fake does not have yet.
TEST(RecordingComparison, FindsAListWithAnObjectThatHasNoIdentifier) {
  Traffic traffic;
  create(traffic);
  for (int n = 0; n < 2; ++n)
    traffic.get(intents);
  traffic.alter([](Recorded& one, json::object& body) {
    if (one.number != 2) return false;
    body.at("data").as_array().front().as_object().erase("id");
    return true;
  });
  EXPECT_THAT(traffic.differences(), ElementsAre("elements:list"));
}

/// The list takes place after the recorded creation, and before the other one in the same second.
TEST(RecordingComparison, FindsNoDifferenceInAListBetweenARecordedAndAnUnrecordedCreation) {
  for (const bool hasCursor : {false, true}) {
    Traffic traffic;
    create(traffic);
    traffic.pause(seconds{10});
    const std::string id = test::idIn(traffic.post(intents, "amount=1&currency=eur"));
    traffic.pause(milliseconds{100});
    traffic.get(intents + (hasCursor ? "?starting_after=" + id : ""));
    create(traffic);
    traffic.pause(seconds{5});
    traffic.get(intents);
    EXPECT_THAT(traffic.differences(), IsEmpty()) << hasCursor;
  }
}

/// It may be newer than the recorded creation before it, but not than the one that a list places further up.
TEST(RecordingComparison, FindsAListThatLacksAnObjectOlderThanAnyOtherOnIt) {
  Traffic traffic;
  traffic.get(intents);
  traffic.pause(seconds{10});
  create(traffic);
  traffic.post(intents, "amount=1&currency=eur");
  create(traffic);
  traffic.get(intents);
  traffic.pause(seconds{5});
  traffic.get(intents);
  traffic.alter([&](Recorded& one, json::object& body) {
    if (one.number != 3) return false;
    body.at("data").as_array().pop_back();
    return true;
  });
  EXPECT_THAT(traffic.differences(), ElementsAre("elements:list"));
}

/// An object of another resource is created at the time of the first page.
TEST(RecordingComparison, FindsAWrongHasMoreLongBeforeAndAfterAnObjectIsCreated) {
  Traffic traffic;
  const std::string page = intents + "?ending_before=" + create(traffic) + "&limit=";
  create(traffic);
  traffic.pause(seconds{10});
  traffic.get(page + "1");
  create(traffic, "payment_record");
  traffic.pause(seconds{10});
  create(traffic);
  traffic.get(intents);
  traffic.get(records);
  traffic.pause(seconds{10});
  traffic.get(page + "2");
  traffic.get(intents);
  traffic.alter([](Recorded& one, json::object& body) {
    body["has_more"] = one.request.url.find("ending_before") != std::string::npos;
    return true;
  });
  EXPECT_THAT(traffic.compare().differences(),
              ElementsAre(AllOf(Field(&Deviation::id, "has_more:list"), Field(&Deviation::count, 2U))));
}

TEST(RecordingComparison, DoesNotJudgeHasMoreWhereAnObjectIsCreated) {
  Traffic traffic;
  const std::string oldest = create(traffic);
  create(traffic);
  traffic.pause(seconds{10});
  traffic.get(intents + "?limit=1&ending_before=" + oldest);
  create(traffic);
  traffic.get(intents);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// A list showed all objects, but not those that were created since.
TEST(RecordingComparison, DoesNotJudgeHasMoreForObjectsThatNoListShows) {
  Traffic traffic;
  const std::string search = intents + "/search?limit=1&expand[]=total_count&query=amount%3E0";
  traffic.get(intents);
  traffic.get(search);
  traffic.pause(seconds{10});
  for (int n = 0; n < 3; ++n)
    create(traffic);
  traffic.pause(seconds{10});
  traffic.get(intents + "?limit=1");
  traffic.get(search);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// An object that a list shows is created while the list is in progress, after a search has ended.
TEST(RecordingComparison, DoesNotJudgeTheCountOfASearchWhenAListShowsANewObject) {
  Traffic traffic;
  create(traffic, "payment_record");
  traffic.get(records);
  traffic.pause(seconds{10});
  traffic.get(records + "/search?expand[]=total_count&query=amount_requested.value%3A1000");
  create(traffic, "payment_record");
  traffic.get(records);
  traffic.recorded[2].start -= seconds{1};
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

}  // namespace

}  // namespace tally::fake::detail
