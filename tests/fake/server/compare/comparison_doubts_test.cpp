#include <algorithm>
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
using test::records;
using test::report;
using test::sendCreations;
using test::Traffic;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

/// The service processed the later one of two overlapping reports first, and therefore refused the other.
TEST(RecordingComparison, DoesNotJudgeWhichOfTwoOverlappingReportsCameFirst) {
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

TEST(RecordingComparison, ConsidersTheResolutionOfRecordedTimesWhenRequestsOverlap) {
  using std::chrono::microseconds;
  EXPECT_THAT(differencesOfOverlap(microseconds{1'000}, {}), ElementsAre("state:payment_record"));
  EXPECT_THAT(differencesOfOverlap(microseconds{2'000}, {}), IsEmpty());
  EXPECT_THAT(differencesOfOverlap(microseconds{1'000}, microseconds{250}), IsEmpty());
}

TEST(RecordingComparison, DoesNotJudgeChangesMadeByRequestsWithoutAResponse) {
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

TEST(RecordingComparison, DoesNotConcludeFromRefusedParametersThatAnObjectExists) {
  Traffic traffic;
  traffic.post(report("pr_nowhere", "failed"), "canceled_at=1");
  traffic.post(report("pr_nowhere", "failed"), "failed_at=1");
  traffic.get(records + "/pr_nowhere");
  traffic.post("/v1/payment_intents/pi_nowhere", "color=red");
  traffic.get("/v1/payment_intents/pi_nowhere");
  traffic.get("/v1/payment_intents?starting_after=pi_nowhere");
  ASSERT_EQ(traffic.recorded[0].response->status, 400);
  ASSERT_EQ(traffic.recorded[1].response->status, 404);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

void failWithServerError(Recorded& one) {
  one.response =
      HttpResponse{.status = 503,
                   .headers = one.response->headers,
                   .body = R"({"error":{"type":"api_error","code":"api_error","message":"Unavailable."}})"};
}

TEST(RecordingComparison, DoesNotJudgeAServerErrorForARequestThatTheFakeRefuses) {
  Traffic traffic;
  traffic.get(records);
  traffic.get(records + "/pr_none");
  traffic.post(report("pr_none", "failed"), "failed_at=1");
  traffic.get(records + "?limit=0");
  traffic.send({.url = records});
  for (std::size_t n = 1; n < traffic.recorded.size(); ++n)
    failWithServerError(traffic.recorded[n]);
  const Findings found = traffic.compare();
  EXPECT_THAT(found.differences(), IsEmpty());
  EXPECT_THAT(found.unjudged(), Contains(Field(&Unjudged::text, "responses with status 5xx")));
}

TEST(RecordingComparison, DoesNotConcludeFromAServerErrorThatTheServiceKnowsAKeyOrAnAccount) {
  Traffic traffic;
  HttpRequest onBehalf = test::get(traffic.key, records);
  onBehalf.headers.push_back({"Service-Account", "acct_none"});
  for (int n = 0; n < 2; ++n) {
    traffic.send(test::get("sk_test_none", records));
    traffic.send(onBehalf);
  }
  traffic.get(records);
  for (std::size_t n = 2; n < 4; ++n)
    failWithServerError(traffic.recorded[n]);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, DoesNotAssumeThatAnObjectExistsAfterAServerError) {
  Traffic traffic;
  for (int n = 0; n < 2; ++n)
    traffic.post(report("pr_none", "failed"), "failed_at=1");
  ASSERT_EQ(traffic.recorded[1].response->status, 404);
  failWithServerError(traffic.recorded[0]);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// Whether the report took effect or not.
TEST(RecordingComparison, DoesNotJudgeTheEffectOfAReportThatEndedInAServerError) {
  for (const bool effective : {false, true}) {
    Traffic traffic;
    const std::string id = traffic.service.insertMany(traffic.key, "payment_record", 1).front();
    const std::string before = traffic.get(records + '/' + id).body;
    traffic.post(report(id, "failed"), "failed_at=1");
    traffic.get(records + '/' + id);
    failWithServerError(traffic.recorded[1]);
    if (!effective) traffic.recorded[2].response->body = before;
    EXPECT_THAT(traffic.differences(), IsEmpty()) << effective;
  }
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

/// A record without an amount shows the same in every state. The server error makes its state doubtful.
TEST(RecordingComparison, KeepsAStateThatAnObjectDoesNotShow) {
  Traffic traffic;
  const std::string id = traffic.service
                             .insertMany(traffic.key, "payment_record", 1,
                                         R"({"amount_requested":{"currency":"usd","value":0}})")
                             .front();
  traffic.get(records + '/' + id);
  traffic.post(report(id, "guaranteed"), "guaranteed_at=1");
  traffic.post(report(id, "canceled"), "canceled_at=1");
  traffic.get(records + '/' + id);
  ASSERT_EQ(traffic.post(report(id, "failed"), "failed_at=1").status, 400);
  failWithServerError(traffic.recorded[2]);
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

TEST(RecordingComparison, AlignsClocksWithTheDateHeader) {
  const std::string date = "Thu, 01 Jan 2026 00:00:00 GMT";
  EXPECT_THAT(differencesOfClocks(std::chrono::hours{5}, date), IsEmpty());
  EXPECT_THAT(differencesOfClocks(std::chrono::hours{-5}, date), IsEmpty());
  EXPECT_THAT(differencesOfClocks(seconds{2}, date), IsEmpty());
  EXPECT_THAT(differencesOfClocks(seconds{-2}, date), IsEmpty());
}

TEST(RecordingComparison, JudgesCreationTimesToTheSecondIfTheDateHeaderShowsTheRecordersTime) {
  EXPECT_THAT(differencesOfClocks(seconds{2}, "Thu, 01 Jan 2026 00:00:02 GMT"),
              Contains("value:payment_intents.create:payment_intent.created"));
}

TEST(RecordingComparison, AllowsForADateHeaderThatIsTwoSecondsOld) {
  EXPECT_THAT(differencesOfClocks(seconds{0}, "Wed, 31 Dec 2025 23:59:58 GMT"), IsEmpty());
  EXPECT_THAT(differencesOfClocks(seconds{0}, "Wed, 31 Dec 2025 23:59:57 GMT"),
              Contains("value:payment_intents.create:payment_intent.created"));
}

TEST(RecordingComparison, IgnoresADateThatNoClockShows) {
  EXPECT_THAT(differencesOfClocks(seconds{0}, "Fri, 31 Dec 9999 23:59:59 GMT"), IsEmpty());
}

/// 2^64 nanoseconds later than it is created, rounded up.
TEST(RecordingComparison, FindsACreationTimeBeyondTheRangeOfInstants) {
  Traffic traffic;
  traffic.post(test::intents, "amount=5&currency=eur");
  traffic.alterObjects("payment_intent", [](boost::json::object& intent) {
    intent["created"] = intent.at("created").as_int64() + 18'446'744'074;
  });
  EXPECT_THAT(traffic.differences(), ElementsAre("value:payment_intents.create:payment_intent.created"));
}

TEST(RecordingComparison, FindsNoDifferenceIfTheClocksDifferByLessThanASecond) {
  EXPECT_THAT(differencesOfClocks(milliseconds{900}), IsEmpty());
  EXPECT_THAT(differencesOfClocks(milliseconds{-900}), IsEmpty());
  EXPECT_THAT(differencesOfClocks(seconds{3}),
              Contains("value:payment_intents.create:payment_intent.created"));
}

}  // namespace

}  // namespace tally::fake::detail
