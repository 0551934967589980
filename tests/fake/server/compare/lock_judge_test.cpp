#include "compare/lock_judge.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/traffic.h"
#include "fake/support/requests.h"

namespace tally::fake::detail {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Traffic;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

HttpRequest updateOf(const Traffic& traffic, const std::string& id, int text) {
  return test::post(traffic.key, "/v1/payment_intents/" + id, "description=" + std::to_string(text));
}

/// Updates of one object, or of each its own, that start 100 ms apart and take `duration`.
void update(Traffic& traffic, milliseconds duration, int count, bool each = false) {
  traffic.service.durations().set("payment_intents.update", duration);
  const auto ids = traffic.service.insertMany(traffic.key, "payment_intent", static_cast<std::size_t>(count));
  for (const std::string& id : ids)
    traffic.get("/v1/payment_intents/" + id);
  std::vector<std::pair<milliseconds, HttpRequest>> requests;
  for (int n = 0; n < count; ++n)
    requests.emplace_back(100 * n, updateOf(traffic, ids[each ? static_cast<std::size_t>(n) : 0], n + 1));
  traffic.overlap(std::move(requests));
}

HttpResponse lockTimeout() {
  return {.status = 429,
          .headers = {{"Content-Type", "application/json"}},
          .body = R"({"error":{"type":"invalid_request_error","code":"lock_timeout","message":"Locked."}})"};
}

TEST(LockJudge, FindsNoDifferenceInRequestsThatWaitForALock) {
  Traffic traffic;
  update(traffic, milliseconds{1'400}, 5);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// A report that starts `offset` after the first one. Each takes 2.5 s.
std::pair<milliseconds, HttpRequest> reportAt(const Traffic& traffic, milliseconds offset,
                                              const std::string& id, const std::string& outcome) {
  return {offset, test::post(traffic.key, "/v1/payment_records/" + id + "/report_payment_attempt_" + outcome,
                             outcome + "_at=1")};
}

TEST(LockJudge, FindsNoDifferenceIfAllRequestsForAnOperationWaitForALock) {
  Traffic traffic{{.seed = 7, .duration = milliseconds{2'500}}};
  const std::string id = traffic.service.insertMany(traffic.key, "payment_record", 1).front();
  traffic.overlap({reportAt(traffic, milliseconds{0}, id, "failed"),
                   reportAt(traffic, milliseconds{500}, id, "canceled")});
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(LockJudge, FindsNoDifferenceIfARequestWaitsForOneThatStartedAfterIt) {
  Traffic traffic{{.seed = 7, .duration = milliseconds{2'500}}};
  const std::string id = traffic.service.insertMany(traffic.key, "payment_record", 1).front();
  traffic.overlap({reportAt(traffic, milliseconds{0}, id, "failed"),
                   reportAt(traffic, milliseconds{100}, id, "canceled"),
                   reportAt(traffic, milliseconds{2'600}, id, "canceled")});
  traffic.recorded[1].start -= milliseconds{200};  // it was on its way for longer than the first
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(LockJudge, FindsALockThatOnlyTheFakeTakes) {
  Traffic traffic;
  update(traffic, milliseconds{1'400}, 3, true);
  for (Recorded& one : traffic.recorded)
    if (one.request.method == Method::post) one.request.url = traffic.recorded[3].request.url;
  const std::string id = traffic.recorded[0].request.url.substr(20);
  traffic.alterObjects("payment_intent", [&](boost::json::object& object) { object["id"] = id; });
  traffic.recorded.erase(traffic.recorded.begin() + 1, traffic.recorded.begin() + 3);
  EXPECT_THAT(traffic.differences(), ElementsAre("lock.missing:payment_intents.update"));
}

TEST(LockJudge, FindsNoDifferenceInShortOverlappingRequests) {
  Traffic traffic;
  update(traffic, milliseconds{400}, 3, true);
  for (Recorded& one : traffic.recorded)
    if (one.request.method == Method::post) one.request.url = traffic.recorded[3].request.url;
  const std::string id = traffic.recorded[0].request.url.substr(20);
  traffic.alterObjects("payment_intent", [&](boost::json::object& object) { object["id"] = id; });
  traffic.recorded.erase(traffic.recorded.begin() + 1, traffic.recorded.begin() + 3);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(LockJudge, FindsALockThatOutlivesItsRequest) {
  Traffic traffic;
  update(traffic, milliseconds{50}, 1);
  traffic.pause(seconds{1});
  traffic.send(updateOf(traffic, traffic.recorded[0].request.url.substr(20), 9));
  traffic.recorded.back().response = lockTimeout();
  traffic.recorded.back().end += seconds{3};
  EXPECT_THAT(traffic.differences(), ElementsAre("lock.timeout:payment_intents.update"));
}

TEST(LockJudge, FindsALockSharedByDifferentObjects) {
  Traffic traffic;
  update(traffic, milliseconds{3'500}, 2, true);
  traffic.recorded.back().response = lockTimeout();
  traffic.recorded.back().end = traffic.recorded.back().start + seconds{3};
  EXPECT_THAT(traffic.differences(), ElementsAre("lock.timeout:payment_intents.update"));
}

/// What differs if an update takes ten seconds, and the next one starts `after` it, and ends long after it.
std::vector<std::string> differencesOfAWait(std::chrono::nanoseconds after) {
  Traffic traffic;
  update(traffic, milliseconds{50}, 1);
  traffic.send(updateOf(traffic, traffic.recorded[0].request.url.substr(20), 9));
  Recorded& first = traffic.recorded[1];
  Recorded& next = traffic.recorded[2];
  first.end = first.start + seconds{10};
  next.start = first.start + after;
  next.end = first.start + seconds{30};
  return traffic.differences();
}

/// The first update certainly has the lock from half a second after its start to half a second before its
/// end.
TEST(LockJudge, FindsARequestThatWaitsForALockLongerThanTheFake) {
  constexpr std::chrono::nanoseconds tick{1};
  const auto found = ElementsAre("lock.missing:payment_intents.update");
  EXPECT_THAT(differencesOfAWait(milliseconds{500}), IsEmpty());
  EXPECT_THAT(differencesOfAWait(milliseconds{500} + tick), found);
  EXPECT_THAT(differencesOfAWait(seconds{6} - tick), found);
  EXPECT_THAT(differencesOfAWait(seconds{6}), IsEmpty());
}

/// A gateway gave up after ten seconds, and the service may not have.
void timeOutAtGateway(Recorded& one) {
  one.response = HttpResponse{
      .status = 504, .headers = one.response->headers, .body = R"({"error":{"type":"api_error"}})"};
  one.end = one.start + seconds{10};
}

TEST(LockJudge, AcceptsALockHeldByARequestThatEndedInAServerError) {
  Traffic traffic;
  update(traffic, milliseconds{8'000}, 2, true);
  traffic.recorded.push_back(traffic.recorded[2]);
  Recorded& last = traffic.recorded.back();
  last.number = 5;
  last.start += seconds{1};
  last.end = last.start + seconds{3};
  last.response = lockTimeout();
  timeOutAtGateway(traffic.recorded[2]);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(LockJudge, DoesNotJudgeALockIfAnotherRequestEndedInAServerError) {
  Traffic traffic;
  update(traffic, milliseconds{3'500}, 2, true);
  timeOutAtGateway(traffic.recorded[2]);
  traffic.recorded[3].response = lockTimeout();
  traffic.recorded[3].end = traffic.recorded[3].start + seconds{3};
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(LockJudge, AcceptsALockHeldByARequestWithoutResponseForTheLongestWait) {
  Traffic traffic;
  update(traffic, milliseconds{50}, 1);
  const std::string id = traffic.recorded[0].request.url.substr(20);
  for (int n = 2; n < 4; ++n) {
    traffic.pause();
    traffic.send(updateOf(traffic, id, n));
  }
  traffic.recorded[1].response.reset();
  traffic.recorded.back().response = lockTimeout();
  const Settings settings{R"({"accounts":[{"lock_wait_ms":3155695200000}]})"};
  EXPECT_THAT(traffic.differences({.settings = settings}), ElementsAre("lock.wait:payment_intents.update"));
}

/// A request that waits for another one ends after it.
TEST(LockJudge, ComparesWaitsWithRequestsThatEndedAtTheSameTimeAsAnother) {
  Traffic traffic;
  update(traffic, milliseconds{50}, 2);
  Recorded& first = traffic.recorded[2];
  Recorded& second = traffic.recorded[3];
  second.start = first.start + milliseconds{10};
  second.end = first.end;
  traffic.pause(std::chrono::minutes{1});
  traffic.send(updateOf(traffic, traffic.recorded[0].request.url.substr(20), 9));
  Recorded& last = traffic.recorded.back();
  last.response = lockTimeout();
  last.end = last.start + seconds{10};
  EXPECT_THAT(traffic.differences(), ElementsAre("lock.wait:payment_intents.update"));
}

/// A lock is waited for three seconds.
TEST(LockJudge, AcceptsAWaitThatIsATenthTooShort) {
  for (const bool isAccepted : {true, false}) {
    Traffic traffic;
    update(traffic, milliseconds{1'400}, 5);
    Recorded& last = traffic.recorded.back();
    ASSERT_EQ(last.response->status, 429);
    last.end = last.start + milliseconds{isAccepted ? 2'700 : 2'699};
    EXPECT_EQ(traffic.differences(), isAccepted
                                         ? std::vector<std::string>{}
                                         : std::vector<std::string>{"lock.wait:payment_intents.update"});
  }
}

TEST(LockJudge, DoesNotJudgeLocksHeldByUnrecordedRequests) {
  Traffic traffic;
  const std::string id = traffic.service.insertMany(traffic.key, "payment_intent", 1).front();
  traffic.get("/v1/payment_intents/" + id);
  const Hold hold = traffic.service.holds().lockObject(traffic.key, id);
  EXPECT_EQ(traffic.send(updateOf(traffic, id, 5)).status, 429);
  const Findings found = traffic.compare();
  EXPECT_THAT(found.differences(), IsEmpty());
  EXPECT_THAT(found.unjudged(), ElementsAre(Field(&Unjudged::text, HasSubstr("no recorded request held"))));
}

}  // namespace

}  // namespace tally::fake::detail
