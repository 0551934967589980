#include "bulk/lanes.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/bulk_rows.h"
#include "sdk/support/harness.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using detail::Action;
using detail::BulkRow;
using detail::LaneOptions;
using detail::Lanes;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Records what is begun. The test ends it.
class ScriptedSender final : public detail::ReportSender {
 public:
  [[nodiscard]] std::size_t room() const override { return roomLeft; }
  void read(BulkRow& row, StopToken stop) override { begin("read", row, std::move(stop)); }
  void send(BulkRow& row, StopToken stop) override { begin("send", row, std::move(stop)); }
  void resolve(BulkRow& row, bool resend, StopToken stop) override {
    begin(resend ? "resolve" : "check", row, std::move(stop));
  }
  void pause(BulkRow& row, Instant until, StopToken stop) override {
    pauses.push_back(until);
    begin("pause", row, std::move(stop));
  }
  [[nodiscard]] std::vector<BulkRow*> wait(const Times& times, StopToken /*stop*/) override {
    lastWait = times;
    return std::exchange(ended, {});
  }

  std::size_t roomLeft = 1'000;
  std::vector<std::string> begun{};
  std::vector<Instant> pauses{};
  std::vector<BulkRow*> ended{};
  StopToken lastStop{};
  Times lastWait{};

 private:
  void begin(const std::string& what, const BulkRow& row, StopToken stop) {
    begun.push_back(what + ' ' + std::to_string(row.number));
    lastStop = std::move(stop);
  }
};

/// Records what it receives.
class RecordingSink final : public detail::ReportSink {
 public:
  [[nodiscard]] bool intend(BulkRow& row) override {
    intended.push_back(&row);
    return !recordsIntents;
  }
  void ended(BulkRow& row) override { ends.push_back(&row); }

  bool recordsIntents = false;
  std::vector<BulkRow*> intended{};
  std::vector<BulkRow*> ends{};
};

auto endsWith(ReportEnd end, bool pending, const std::string& reason = "") {
  return AllOf(Field("end", &BulkRow::end, end), Field("pending", &BulkRow::pending, pending),
               Field("reason", &BulkRow::reason, HasSubstr(reason)));
}

/// The error of a response with `Retry-After`.
Error withRetryAfter(const Error& error, std::chrono::seconds wait) {
  Error::Details details = error.details();
  details.retryAfter = wait;
  return Error{details};
}

class LanesTest : public testing::Test {
 protected:
  Lanes& lanes() {
    if (!lanes_) lanes_.emplace(clock, backoff, 1, sender, sink, options);
    return *lanes_;
  }

  BulkRow& enqueue(const std::string& id = "pr_1", const std::string& attempt = "par_1",
                   Action action = Action::send) {
    BulkRow& row = rows.emplace_back(makeRow(rows.size(), id, attempt));
    row.action = action;
    row.intended = action == Action::resolve;
    lanes().enqueue(row);
    return row;
  }
  /// What is begun now.
  std::vector<std::string> begin() {
    lanes().checkTimes();
    lanes().begin();
    return std::exchange(sender.begun, {});
  }
  void end(BulkRow& row) {
    sender.ended.push_back(&row);
    lanes().wait(Instant::max(), {});
  }
  void succeed(BulkRow& row, const std::string& attempt = "par_1") {
    row.object = makeObject(row, attempt);
    row.facts = {.status = ReportStatus::applied, .noResendReason = NoResendReason::applied};
    end(row);
  }
  void fail(BulkRow& row, const Error& error) {
    row.error = error;
    end(row);
  }
  /// Begins the report, which fails, and ends the pause after it.
  void failAndPause(BulkRow& row, ErrorKind kind = ErrorKind::connection) {
    (void)begin();
    fail(row, makeError(kind));
    ASSERT_THAT(std::exchange(sender.begun, {}), ElementsAre("pause " + std::to_string(row.number)));
    clock.advance(sender.pauses.back() - clock.now());
    end(row);
  }

  TestClock clock{};
  Backoff backoff{};
  ScriptedSender sender{};
  RecordingSink sink{};
  LaneOptions options{.window = 100, .maxInFlight = 64, .retryTimeout = 5min, .gracePeriod = 10s};
  std::deque<BulkRow> rows{};

 private:
  std::optional<Lanes> lanes_{};
};

TEST_F(LanesTest, SendsReportsOnOneObjectInOrder) {
  BulkRow& first = enqueue();
  BulkRow& second = enqueue();
  EXPECT_THAT(begin(), ElementsAre("send 0"));
  EXPECT_THAT(begin(), IsEmpty());
  succeed(first);
  EXPECT_THAT(begin(), ElementsAre("send 1"));
  succeed(second);
  EXPECT_THAT(sink.ends, ElementsAre(&first, &second));
  EXPECT_FALSE(lanes().isBusy());
}

TEST_F(LanesTest, SendsReportsOnSeveralObjectsInParallel) {
  (void)enqueue("pr_1");
  (void)enqueue("pr_2");
  EXPECT_THAT(begin(), ElementsAre("send 0", "send 1"));
}

TEST_F(LanesTest, StartsOnlyAsManyCallsAsTheSenderHasRoomFor) {
  for (const char* id : {"pr_1", "pr_2", "pr_3"})
    (void)enqueue(id);
  sender.roomLeft = 2;
  EXPECT_THAT(begin(), ElementsAre("send 0", "send 1"));
  sender.roomLeft = 0;
  EXPECT_THAT(begin(), IsEmpty());
  lanes().wait(Instant::max(), {});
  EXPECT_EQ(sender.lastWait.opening, Instant::max()) << "or the job would never wait";
  sender.roomLeft = 2;
  EXPECT_THAT(begin(), ElementsAre("send 2"));
}

TEST_F(LanesTest, StartsNoOtherCallBeforeTheFirstHasEndedIfItIsToBeAlone) {
  options.firstCallAlone = true;
  BulkRow& first = enqueue("pr_1");
  (void)enqueue("pr_2");
  (void)enqueue("pr_3");
  EXPECT_THAT(begin(), ElementsAre("send 0"));
  EXPECT_THAT(begin(), IsEmpty());
  lanes().wait(Instant::max(), {});
  EXPECT_EQ(sender.lastWait.opening, Instant::max()) << "or the job would never wait";
  fail(first, makeError(ErrorKind::timeout, Effect::unknown));
  EXPECT_THAT(begin(), testing::UnorderedElementsAre("resolve 0", "send 1", "send 2"));
}

TEST_F(LanesTest, SendsAReportOnlyAfterItsIntentIsRecorded) {
  sink.recordsIntents = true;
  BulkRow& row = enqueue();
  EXPECT_THAT(begin(), IsEmpty());
  EXPECT_THAT(sink.intended, ElementsAre(&row));
  row.intended = true;
  lanes().start(row);
  EXPECT_THAT(std::exchange(sender.begun, {}), ElementsAre("send 0"));
  fail(row, makeError(ErrorKind::connection));
  end(row);  // the pause
  EXPECT_THAT(begin(), ElementsAre("pause 0", "send 0"));
  EXPECT_THAT(sink.intended, ElementsAre(&row)) << "one intent covers the retries";
}

TEST_F(LanesTest, GivesUpOnAReportWhoseIntentIsNotRecorded) {
  sink.recordsIntents = true;
  options.maxInFlight = 1;
  BulkRow& row = enqueue("pr_1");
  (void)enqueue("pr_2");
  (void)begin();
  lanes().giveUp(row, "no disk");
  EXPECT_THAT(row, endsWith(ReportEnd::unsent, true, "no disk"));
  (void)begin();
  EXPECT_THAT(sink.intended, ElementsAre(&row, &rows[1])) << "its slot is free";
}

TEST_F(LanesTest, ReadsTheObjectBeforeSendingIfTheAttemptIsUnknown) {
  BulkRow& row = enqueue("pr_1", "");
  EXPECT_THAT(begin(), ElementsAre("read 0"));
  row.object = makeObject(row, "par_7");
  const auto* object = row.object.get();
  end(row);
  EXPECT_THAT(begin(), ElementsAre("send 0"));
  EXPECT_EQ(row.before.get(), object);
}

TEST_F(LanesTest, UsesTheResponseToThePreviousReportInsteadOfARead) {
  options.readBefore = ReadBefore::always;
  BulkRow& first = enqueue();
  BulkRow& second = enqueue();
  EXPECT_THAT(begin(), ElementsAre("read 0"));
  succeed(first);
  EXPECT_THAT(begin(), ElementsAre("send 0"));
  succeed(first);
  EXPECT_THAT(begin(), ElementsAre("send 1"));
  EXPECT_EQ(second.before, first.object);
}

TEST_F(LanesTest, ResolvesAnUnknownOutcomeBeforeSendingTheNextReport) {
  BulkRow& first = enqueue();
  (void)enqueue();
  (void)begin();
  fail(first, makeError(ErrorKind::timeout, Effect::unknown));
  EXPECT_THAT(begin(), ElementsAre("resolve 0"));
  succeed(first);
  EXPECT_THAT(first, endsWith(ReportEnd::applied, false));
  EXPECT_THAT(begin(), ElementsAre("send 1"));
}

TEST_F(LanesTest, ChecksAReportWithoutResendingItIfTheAttemptIsUnknown) {
  (void)enqueue("pr_1", "", Action::resolve);
  EXPECT_THAT(begin(), ElementsAre("check 0"));
}

TEST_F(LanesTest, SendsNothingBehindAnUndecidedReport) {
  BulkRow& first = enqueue();
  BulkRow& second = enqueue();
  (void)begin();
  fail(first, makeError(ErrorKind::canceled, Effect::none));
  EXPECT_THAT(first, endsWith(ReportEnd::unsent, true));
  EXPECT_THAT(second, endsWith(ReportEnd::unsent, true, "an earlier report on the same object is undecided"));
  EXPECT_THAT(enqueue(), endsWith(ReportEnd::unsent, true, "undecided"));
  EXPECT_THAT(begin(), IsEmpty());
}

TEST_F(LanesTest, ResolvesReportsBehindAnUndecidedOne) {
  BulkRow& first = enqueue("pr_1", "par_1", Action::resolve);
  (void)enqueue("pr_1", "par_1", Action::resolve);
  (void)begin();
  fail(first, makeError(ErrorKind::canceled, Effect::unknown));
  EXPECT_THAT(first, endsWith(ReportEnd::unknown, true));
  EXPECT_THAT(begin(), ElementsAre("resolve 1"));
}

TEST_F(LanesTest, StopsWhenTooManyObjectsHaveUndecidedReports) {
  options.window = 2;
  for (int n = 0; n < 3; ++n) {
    BulkRow& row = enqueue("pr_" + std::to_string(n));
    EXPECT_FALSE(begin().empty());
    fail(row, makeError(ErrorKind::canceled));
  }
  lanes().checkTimes();
  EXPECT_TRUE(lanes().isStopping());
  EXPECT_EQ(lanes().problem(), "more than 2 objects have an undecided report");
}

TEST_F(LanesTest, RetriesACallWithGrowingPauses) {
  BulkRow& row = enqueue();
  std::vector<std::chrono::nanoseconds> pauses;
  for (int n = 0; n < 4; ++n) {
    const Instant before = clock.now();
    ASSERT_NO_FATAL_FAILURE(failAndPause(row));
    pauses.push_back(clock.now() - before);
  }
  for (std::size_t n = 0; n < pauses.size(); ++n) {
    EXPECT_GE(pauses[n], 250ms * (1 << n)) << n;
    EXPECT_LE(pauses[n], 500ms * (1 << n)) << n;
  }
  EXPECT_THAT(begin(), ElementsAre("send 0"));
}

TEST_F(LanesTest, EndsAReportThatKeepsFailingUntilTheRetryTimeout) {
  BulkRow& row = enqueue("pr_1");
  BulkRow& other = enqueue("pr_2");
  ASSERT_NO_FATAL_FAILURE(failAndPause(row));
  (void)begin();
  clock.advance(1min);
  succeed(other);
  clock.advance(4min);
  fail(row, makeError(ErrorKind::connection));
  EXPECT_THAT(row, endsWith(ReportEnd::unsent, true));
  EXPECT_FALSE(lanes().isStopping()) << "another report has succeeded since";
}

TEST_F(LanesTest, StopsWhenNothingSucceedsWithinTheRetryTimeout) {
  BulkRow& row = enqueue();
  ASSERT_NO_FATAL_FAILURE(failAndPause(row));
  (void)begin();
  clock.advance(5min);
  fail(row, makeError(ErrorKind::connection));
  EXPECT_TRUE(lanes().isStopping());
  EXPECT_THAT(lanes().problem(), HasSubstr("nothing succeeds anymore"));
}

TEST_F(LanesTest, ReportsTroubleFromTheFirstFailureToTheNextSuccess) {
  BulkRow& row = enqueue();
  EXPECT_FALSE(lanes().trouble());
  const Instant first = clock.now();
  ASSERT_NO_FATAL_FAILURE(failAndPause(row));
  ASSERT_NO_FATAL_FAILURE(failAndPause(row, ErrorKind::timeout));
  ASSERT_TRUE(lanes().trouble());
  EXPECT_EQ(lanes().trouble()->since, first);
  EXPECT_THAT(lanes().trouble()->reason, HasSubstr("timeout"));
  (void)begin();
  succeed(row);
  EXPECT_FALSE(lanes().trouble());
}

TEST_F(LanesTest, ReportsNoMoreTroubleOnceALimitRefusesACall) {
  BulkRow& row = enqueue();
  ASSERT_NO_FATAL_FAILURE(failAndPause(row));
  ASSERT_TRUE(lanes().trouble());
  (void)begin();
  fail(row, limitError(RateLimitedReason::endpointRate));
  EXPECT_FALSE(lanes().trouble()) << "the service responds again";
}

TEST_F(LanesTest, ReportsTroubleOnceLimitsAndLocksHaveRefusedAllCallsForTenSeconds) {
  BulkRow& row = enqueue("pr_1");
  BulkRow& other = enqueue("pr_2");
  (void)begin();
  fail(row, limitError(RateLimitedReason::endpointRate));
  clock.advance(3s);
  fail(other, makeError(ErrorKind::lockTimeout));
  clock.advance(7s - 1ns);
  EXPECT_FALSE(lanes().trouble());
  clock.advance(1ns);
  ASSERT_TRUE(lanes().trouble());
  EXPECT_THAT(lanes().trouble()->reason, HasSubstr("lock timeout"));
}

TEST_F(LanesTest, ReportsNoTroubleWhenACallPassesBetweenRefusals) {
  BulkRow& refused = enqueue("pr_1");
  (void)begin();
  fail(refused, limitError(RateLimitedReason::endpointRate));
  clock.advance(9s);
  BulkRow& admitted = enqueue("pr_2");
  ASSERT_THAT(begin(), ElementsAre("send 0"));
  fail(refused, limitError(RateLimitedReason::endpointRate));
  clock.advance(9s);
  ASSERT_THAT(begin(), ElementsAre("send 1"));
  succeed(admitted);
  clock.advance(9s);
  ASSERT_THAT(begin(), ElementsAre("send 0"));
  fail(refused, limitError(RateLimitedReason::endpointRate));
  EXPECT_FALSE(lanes().trouble());
}

TEST_F(LanesTest, ReportsTroubleAlthoughCallsBegunBeforeARefusalSucceed) {
  BulkRow& refused = enqueue("pr_1");
  BulkRow& earlier = enqueue("pr_2");
  (void)begin();
  fail(refused, withRetryAfter(limitError(RateLimitedReason::globalRate), 60s));
  succeed(earlier);
  clock.advance(10s);
  EXPECT_TRUE(lanes().trouble()) << "the next call begins in 50 seconds";
}

TEST_F(LanesTest, RetriesARefusedCallOnceItsGateOpensInsteadOfPausing) {
  BulkRow& row = enqueue();
  (void)begin();
  fail(row, limitError(RateLimitedReason::endpointRate));
  EXPECT_THAT(begin(), IsEmpty());
  lanes().wait(Instant::max(), {});
  ASSERT_GT(sender.lastWait.opening, clock.now());
  clock.advance(sender.lastWait.opening - clock.now());
  EXPECT_THAT(begin(), ElementsAre("send 0"));
}

TEST_F(LanesTest, ExcludesDelaysCausedByALimitFromTheRetryTimeout) {
  BulkRow& row = enqueue("pr_1");
  ASSERT_NO_FATAL_FAILURE(failAndPause(row));
  BulkRow& limited = enqueue("pr_2");
  (void)begin();
  backoff.retryAfterCap = 1h;
  fail(row, makeError(ErrorKind::connection));
  fail(limited, withRetryAfter(limitError(RateLimitedReason::endpointRate), 60s));
  end(row);  // its pause; now it waits behind the gate
  clock.advance(6min);
  EXPECT_THAT(begin(), ElementsAre("pause 0", "send 1"));
  succeed(limited);
  lanes().wait(Instant::max(), {});
  clock.advance(sender.lastWait.opening - clock.now());
  EXPECT_THAT(begin(), ElementsAre("send 0"));
  fail(row, makeError(ErrorKind::connection));
  EXPECT_THAT(sink.ends, ElementsAre(&limited)) << "the other one is retried";
}

TEST_F(LanesTest, GivesUpOnAllReportsBehindALimitThatAdmitsNothing) {
  BulkRow& first = enqueue("pr_1");
  BulkRow& second = enqueue("pr_2");
  (void)begin();
  BulkRow& third = enqueue("pr_3");
  fail(first, limitError(RateLimitedReason::endpointRate));
  clock.advance(5min);
  fail(second, limitError(RateLimitedReason::endpointRate));
  for (const BulkRow* row : {&first, &second, &third})
    EXPECT_THAT(*row, endsWith(ReportEnd::unsent, true));
}

TEST_F(LanesTest, TriesOnceMoreAtTheRetryTimeoutIfAskedToPauseLonger) {
  options.retryTimeout = 5min;
  backoff.retryAfterCap = 1h;
  BulkRow& row = enqueue();
  (void)begin();
  const Instant first = clock.now();
  const Error busy = withRetryAfter(makeError(ErrorKind::server), 4min);
  for (int n = 0; n < 2; ++n) {
    fail(row, busy);
    clock.advance(sender.pauses.back() - clock.now());
    end(row);  // the pause
    (void)begin();
  }
  EXPECT_EQ(clock.now(), first + 5min);
  fail(row, busy);
  EXPECT_THAT(row, endsWith(ReportEnd::unsent, true));
}

TEST_F(LanesTest, OpensAGateAtTheRetryTimeoutIfAskedToPauseLonger) {
  backoff.retryAfterCap = 1h;
  BulkRow& row = enqueue();
  (void)begin();
  const Instant first = clock.now();
  const Error busy = withRetryAfter(limitError(RateLimitedReason::endpointRate), 4min);
  for (int n = 0; n < 2; ++n) {
    fail(row, busy);
    lanes().wait(Instant::max(), {});
    clock.advance(sender.lastWait.opening - clock.now());
    ASSERT_THAT(begin(), ElementsAre("send 0"));
  }
  EXPECT_EQ(clock.now(), first + 5min);
  fail(row, busy);
  EXPECT_THAT(row, endsWith(ReportEnd::unsent, true));
}

TEST_F(LanesTest, KeepsAGateThatAdmitsNothingClosedNoLongerThanTheRetryTimeout) {
  backoff.retryAfterCap = 1h;
  options.maxInFlight = 1;
  BulkRow& row = enqueue("pr_1");
  (void)begin();
  const Error refusal = limitError(RateLimitedReason::endpointRate);
  fail(row, refusal);
  clock.advance(5min);
  ASSERT_THAT(begin(), ElementsAre("send 0"));
  fail(row, withRetryAfter(refusal, 1h));
  ASSERT_THAT(row, endsWith(ReportEnd::unsent, true));
  (void)enqueue("pr_2", "par_2", Action::resolve);
  lanes().wait(Instant::max(), {});
  EXPECT_EQ(sender.lastWait.opening, clock.now() + 5min);
}

TEST_F(LanesTest, StopsAfterAnErrorThatAffectsAllReports) {
  options.maxInFlight = 1;
  BulkRow& first = enqueue("pr_1");
  BulkRow& second = enqueue("pr_2");
  (void)begin();
  fail(first, makeError(ErrorKind::authentication));
  EXPECT_TRUE(lanes().isStopping());
  EXPECT_THAT(sink.ends, ElementsAre(&second, &first));
  EXPECT_THAT(second, endsWith(ReportEnd::unsent, true, "the job was stopped"));
}

TEST_F(LanesTest, ResolvesReportsInFlightWhenStopped) {
  BulkRow& row = enqueue("pr_1");
  (void)begin();
  lanes().stop("");
  lanes().stop("a problem");
  EXPECT_TRUE(sender.lastStop.stop_requested());
  EXPECT_EQ(lanes().problem(), "a problem");
  fail(row, makeError(ErrorKind::canceled, Effect::unknown));
  EXPECT_THAT(begin(), ElementsAre("check 0")) << "nothing is sent again";
  succeed(row);
  EXPECT_THAT(row, endsWith(ReportEnd::applied, false));
}

TEST_F(LanesTest, StopsResolvingReportsAfterTheGracePeriod) {
  (void)enqueue("pr_1", "par_1", Action::resolve);
  (void)begin();
  lanes().stop("");
  lanes().wait(Instant::max(), {});
  EXPECT_EQ(sender.lastWait.until, clock.now() + 10s);
  clock.advance(10s - 1ns);
  lanes().checkTimes();
  EXPECT_FALSE(sender.lastStop.stop_requested());
  clock.advance(1ns);
  lanes().checkTimes();
  EXPECT_TRUE(sender.lastStop.stop_requested());
}

TEST_F(LanesTest, EndsAReportThatWasNeverEnqueued) {
  BulkRow row = makeRow(7);
  lanes().end(row, {.end = ReportEnd::refused, .reason = "invalid"});
  EXPECT_THAT(sink.ends, ElementsAre(&row));
  EXPECT_THAT(row, endsWith(ReportEnd::refused, false, "invalid"));
  (void)enqueue();
  EXPECT_THAT(begin(), ElementsAre("send 0"));
}

TEST_F(LanesTest, AddsSlotsWhenAllCallsHaveEnded) {
  options.maxInFlight = 1;
  BulkRow& first = enqueue("pr_0");
  for (int n = 1; n < 4; ++n)
    (void)enqueue("pr_" + std::to_string(n));
  EXPECT_THAT(begin(), ElementsAre("send 0"));
  succeed(first);
  EXPECT_THAT(begin(), ElementsAre("send 1", "send 2"));
}

}  // namespace
}  // namespace tally::test
