#include "pacing/pacing.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tally/limits.h>
#include <tally/memory_share.h>

#include <gtest/gtest.h>

#include "operations.h"
#include "pacing/paced_call.h"

namespace tally::detail {
namespace {

using namespace std::chrono_literals;

struct StoppedClock final : Clock {
  explicit StoppedClock(Instant at) : time(at) {}
  [[nodiscard]] Instant now() const override { return time; }
  bool sleepUntil(Instant, std::stop_token) override { return true; }
  bool waitUntil(Instant, std::stop_token) override { return true; }

  Instant time;
};

/// Calls that update payment intents, with a counter for each intent.
class PacingTest : public testing::Test {
 protected:
  /// No margin, and after the first window of every limit.
  PacingTest() {
    pacing.begin(now);
    now += std::chrono::hours{24};
  }

  PacedCall call(const std::string& key, const std::string& intent) {
    const HttpRequest request{.headers = {{"Authorization", "Bearer " + key}}};
    return PacedCall{pacing, paymentIntentsUpdate, pacing.request(paymentIntentsUpdate, intent, {}), request};
  }
  void carryOut(PacedCall&& call) {
    ASSERT_EQ(call.ask(now, Instant::max()), PacedCall::Verdict::go);
    call.sending(now);
    call.responded(now, {.responded = true});
  }
  /// Updates `count` other intents, one per minute.
  void updateOthers(int count) {
    for (int n = 0; n < count; ++n) {
      now += 1min;
      carryOut(call("sk_live_2", "pi_" + std::to_string(n)));
    }
  }

  /// A retrieval that is sent now and completes after `duration`.
  void retrieve(std::chrono::nanoseconds duration, const PacedOutcome& outcome = {.responded = true}) {
    const HttpRequest request{.headers = {{"Authorization", "Bearer sk_live_1"}}};
    PacedCall one{pacing, paymentRecordsRetrieve, pacing.request(paymentRecordsRetrieve, "pr_1", {}),
                  request};
    ASSERT_EQ(one.ask(now, Instant::max()), PacedCall::Verdict::go);
    one.sending(now);
    now += duration;
    one.responded(now, outcome);
  }
  /// A retrieval that departs after 100 ms, and then takes 10 ms.
  void retrieveLate() {
    const HttpRequest request{.headers = {{"Authorization", "Bearer sk_live_1"}}};
    PacedCall one{pacing, paymentRecordsRetrieve, pacing.request(paymentRecordsRetrieve, "pr_1", {}),
                  request};
    ASSERT_EQ(one.ask(now, Instant::max()), PacedCall::Verdict::go);
    one.sending(now);
    now += 100ms;
    departure = now;
    one.departs(StoppedClock{now});
    now += 10ms;
    one.responded(now, {.responded = true});
  }
  [[nodiscard]] std::int64_t retrievalsAt(Instant time) const {
    for (const PacerUsage& line : pacing.usage(pacing.accountOf("sk_live_1", {}), time))
      if (line.limit == "endpoint_rate") return line.used;
    return 0;
  }
  static PacedOutcome refused(const Error::Details& details) {
    return pacedOutcome(HttpResponse{.status = details.status}, Error{details});
  }

  Pacing pacing{LimitPlan{operations, limits::all}, PacerOptions{.windowMargin = 0ms}};
  Instant now = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
  Instant departure{};
};

TEST_F(PacingTest, ForgetsIdleObjectsAndAccounts) {
  updateOthers(3'000);
  EXPECT_LE(pacing.size(), 1'100U);
  for (int n = 0; n < 600; ++n)
    carryOut(call("sk_live_" + std::to_string(n), "pi_of_" + std::to_string(n)));
  EXPECT_GE(pacing.size(), 1'200U) << "per object, and per account";
  now += 1h;
  updateOthers(6'000);
  EXPECT_LE(pacing.size(), 1'100U);
}

TEST_F(PacingTest, KeepsTheCountsOfCallsInProgress) {
  PacedCall waiting = call("sk_live_1", "pi_1");
  updateOthers(2'000);
  carryOut(std::move(waiting));
  EXPECT_EQ(pacing.usage(pacing.accountOf("sk_live_1", {}), now).size(), 2U) << "for the object and in total";
}

TEST_F(PacingTest, CountsTheFirstRequestFromTheTimeOfItsResponse) {
  retrieve(300ms);
  EXPECT_EQ(retrievalsAt(now + 1s - 1ns), 1) << "the latency is not known yet";
  EXPECT_EQ(retrievalsAt(now + 1s), 0);
}

/// A process that starts on a busy machine has seen only slow responses. The service may count one of these
/// requests up to its response, and the next one sooner.
TEST_F(PacingTest, CountsEarlyRequestsFromTheTimesOfTheirResponses) {
  retrieve(300ms);
  retrieve(300ms);
  EXPECT_EQ(retrievalsAt(now + 1s - 1ns), 1);
  EXPECT_EQ(retrievalsAt(now + 1s), 0);
}

TEST_F(PacingTest, SubtractsTheShortestLatencyFromTheTimeOfAResponse) {
  retrieve(100ms);
  now += 10s;
  const Instant sent = now;
  retrieve(350ms);
  EXPECT_EQ(retrievalsAt(sent + 250ms + 1s - 1ns), 1);
  EXPECT_EQ(retrievalsAt(sent + 250ms + 1s), 0);
}

/// A connection may break sooner than a response can arrive.
TEST_F(PacingTest, CountsAFailedRequestNoEarlierThanItWasSent) {
  retrieve(300ms);
  now += 10s;
  const Instant sent = now;
  retrieve(50ms, {.responded = false});
  EXPECT_EQ(retrievalsAt(sent + 1s - 1ns), 1);
  EXPECT_EQ(retrievalsAt(sent + 1s), 0);
}

/// The fastest response arrived while this request was in flight.
TEST_F(PacingTest, UsesALatencyLearnedWhileARequestIsInFlight) {
  retrieve(300ms);
  now += 10s;
  const HttpRequest request{.headers = {{"Authorization", "Bearer sk_live_1"}}};
  PacedCall slow{pacing, paymentRecordsRetrieve, pacing.request(paymentRecordsRetrieve, "pr_1", {}), request};
  ASSERT_EQ(slow.ask(now, Instant::max()), PacedCall::Verdict::go);
  slow.sending(now);
  retrieve(50ms);
  now += 250ms;
  slow.responded(now, {.responded = true});
  EXPECT_EQ(retrievalsAt(now - 50ms + 1s - 1ns), 1);
  EXPECT_EQ(retrievalsAt(now - 50ms + 1s), 0);
}

/// For example, if other requests were sent first, or a connection had to be made.
TEST_F(PacingTest, MeasuresLatencyFromTheDepartureOfARequest) {
  retrieveLate();
  now += 10s;
  retrieveLate();
  EXPECT_EQ(retrievalsAt(departure + 1s - 1ns), 1);
  EXPECT_EQ(retrievalsAt(departure + 1s), 0);
}

/// A response can't precede its request.
TEST_F(PacingTest, IgnoresNegativeLatency) {
  retrieve(-1min);
  now += 1min + 10s;
  retrieve(100ms);
  EXPECT_EQ(retrievalsAt(now + 1s), 0);
}

/// Refusals arrive sooner than other responses. If they counted for the latency, all other requests would
/// seem late.
TEST_F(PacingTest, DoesNotLearnLatencyFromARefusal) {
  const auto reason = [](std::string_view text) { return OpenEnum<RateLimitedReason>{std::string{text}}; };
  const Error::Details refusals[] = {
      {.kind = ErrorKind::rateLimited, .status = 429, .rateLimitedReason = reason("global-rate")},
      {.kind = ErrorKind::rateLimited, .status = 429, .rateLimitedReason = reason("moon-phase")},
      {.kind = ErrorKind::tooManyRequests, .status = 429},
  };
  for (const Error::Details& details : refusals) {
    retrieve(100ms);
    now += 10min;
    retrieve(100ms);  // earlier responses are forgotten
    now += 50s;
    retrieve(1ms, refused(details));
    now += 2s;
    const Instant sent = now;
    retrieve(100ms);
    EXPECT_EQ(retrievalsAt(sent + 1s), 0) << Error{details};
  }
}

TEST_F(PacingTest, LearnsLatencyFromSuccessesAndErrorResponses) {
  EXPECT_TRUE(pacedOutcome(HttpResponse{.status = 404}, Error{{.kind = ErrorKind::notFound, .status = 404}})
                  .responded);
  EXPECT_TRUE(pacedOutcome(HttpResponse{.status = 200}, std::nullopt).responded);
  EXPECT_FALSE(pacedOutcome(TransportFailure{}, Error{{.kind = ErrorKind::timeout}}).responded);
}

/// For example, if a transport throws.
TEST_F(PacingTest, EndsAnAbandonedRequestButCountsIt) {
  {
    PacedCall sent = call("sk_live_1", "pi_1");
    ASSERT_EQ(sent.ask(now, Instant::max()), PacedCall::Verdict::go);
    sent.sending(now);
    EXPECT_EQ(pacing.counts().inFlight, 1U);
  }
  EXPECT_EQ(pacing.counts().inFlight, 0U);
  const auto account = pacing.accountOf("sk_live_1", {});
  for (const PacerUsage& line : pacing.usage(account, now))
    EXPECT_EQ(line.used, 1) << line;
  EXPECT_TRUE(pacing.usage(account, now + 1h).empty());
}

TEST_F(PacingTest, ForgetsAnUnsentRequest) {
  {
    PacedCall notSent = call("sk_live_1", "pi_1");
    ASSERT_EQ(notSent.ask(now, Instant::max()), PacedCall::Verdict::go);
  }
  EXPECT_TRUE(pacing.usage(pacing.accountOf("sk_live_1", {}), now).empty());
}

TEST_F(PacingTest, AcceptsTheLongestPossibleRecovery) {
  Pacing slow{LimitPlan{operations, limits::all},
              PacerOptions{.recovery = std::chrono::seconds::max(), .windowMargin = 0ms}};
  slow.begin(now - 24h);
  const HttpRequest request{.headers = {{"Authorization", "Bearer sk_live_1"}}};
  PacedCall one{slow, paymentRecordsRetrieve, slow.request(paymentRecordsRetrieve, "pr_1", {}), request};
  ASSERT_EQ(one.ask(now, Instant::max()), PacedCall::Verdict::go);
  one.sending(now);
  one.responded(now, {.refusedBy = RateLimitedReason::endpointRate});
  const auto usage = slow.usage(slow.accountOf("sk_live_1", {}), now + 24h);
  ASSERT_EQ(usage.size(), 1U);
  EXPECT_EQ(usage.front().allowed, 1);
}

/// Otherwise, it could wait for the units that the next call has.
TEST_F(PacingTest, GivesBackTheUnitsOfTheNextCallIfALimitClosesBeforeTheFirstIsSent) {
  Pacing fresh{LimitPlan{operations, limits::all}, PacerOptions{.windowMargin = 0ms}};
  fresh.begin(now);
  const HttpRequest request{.headers = {{"Authorization", "Bearer sk_live_1"}}};
  const auto paced = fresh.request(paymentRecordsRetrieve, "pr_1", {});
  PacedCall next{fresh, paymentRecordsRetrieve, paced, request};
  PacedCall first{fresh, paymentRecordsRetrieve, paced, request, &next};
  ASSERT_EQ(first.ask(now, Instant::max()), PacedCall::Verdict::go);
  ASSERT_TRUE(next.holdsUnits());
  PacedCall refused{fresh, paymentRecordsRetrieve, paced, request};
  ASSERT_EQ(refused.ask(now, Instant::max()), PacedCall::Verdict::go);
  refused.sending(now);
  refused.responded(now, {.refusedBy = RateLimitedReason::globalRate});
  EXPECT_EQ(first.askAgain(now, Instant::max()), PacedCall::Verdict::wait);
  first.withdraw();
  EXPECT_EQ(first.askAgain(now, Instant::max()), PacedCall::Verdict::wait);
  first.withdraw();
  EXPECT_FALSE(next.holdsUnits());
  EXPECT_EQ(first.askAgain(now + 1s, Instant::max()), PacedCall::Verdict::go);
  EXPECT_TRUE(next.holdsUnits());
}

/// Otherwise, they could withdraw in turn without end, each because of the units of the other.
TEST_F(PacingTest, LetsTwoCallsWithANextCallProceedIfTheirRequestsFitInALoweredConcurrencyLimit) {
  Pacing fresh{LimitPlan{operations, limits::all}, PacerOptions{.windowMargin = 0ms}};
  fresh.begin(now - 24h);
  const HttpRequest request{.headers = {{"Authorization", "Bearer sk_live_1"}}};
  const auto paced = fresh.request(paymentRecordsRetrieve, "pr_1", {});
  PacedCall next{fresh, paymentRecordsRetrieve, paced, request};
  PacedCall first{fresh, paymentRecordsRetrieve, paced, request, &next};
  PacedCall otherNext{fresh, paymentRecordsRetrieve, paced, request};
  PacedCall other{fresh, paymentRecordsRetrieve, paced, request, &otherNext};
  const auto lowerToUsed = [&] {
    PacedCall refused{fresh, paymentRecordsRetrieve, paced, request};
    EXPECT_EQ(refused.ask(now, Instant::max()), PacedCall::Verdict::go);
    refused.sending(now);
    return refused.responded(now, {.refusedBy = RateLimitedReason::globalConcurrency});
  };
  ASSERT_EQ(first.ask(now, Instant::max()), PacedCall::Verdict::go);
  {
    PacedCall third{fresh, paymentRecordsRetrieve, paced, request};
    ASSERT_EQ(third.ask(now, Instant::max()), PacedCall::Verdict::go);
    lowerToUsed();
  }
  // Together, they hold four units of three, but have two requests in flight.
  ASSERT_EQ(other.ask(now, Instant::max()), PacedCall::Verdict::go);
  for (PacedCall* call : {&first, &other, &first})
    EXPECT_EQ(call->askAgain(now, Instant::max()), PacedCall::Verdict::go);
}

TEST_F(PacingTest, SurvivesAClockThatThrows) {
  struct ClockThatMayBreak final : Clock {
    [[nodiscard]] Instant now() const override {
      if (!time) throw std::runtime_error{"no time"};
      return *time;
    }
    bool sleepUntil(Instant, std::stop_token) override { return true; }
    bool waitUntil(Instant, std::stop_token) override { return true; }
    std::optional<Instant> time{};
  };
  ClockThatMayBreak clock;
  for (int n = 0; n < 25; ++n)
    retrieve(0ns);
  const HttpRequest request{.headers = {{"Authorization", "Bearer sk_live_1"}}};
  const auto paced = pacing.request(paymentRecordsRetrieve, "pr_1", {});
  auto first = std::make_unique<PacedCall>(pacing, paymentRecordsRetrieve, paced, request);
  PacedCall second{pacing, paymentRecordsRetrieve, paced, request};
  ASSERT_EQ(first->ask(now, Instant::max()), PacedCall::Verdict::wait);
  ASSERT_EQ(second.ask(now, Instant::max()), PacedCall::Verdict::wait);
  EXPECT_THROW((void)first->await(clock, Instant::max(), {}), std::runtime_error);
  first.reset();
  EXPECT_EQ(pacing.counts().waiting, 1U);
  clock.time = now + 1s;
  EXPECT_EQ(second.await(clock, Instant::max(), {}), PacedCall::Verdict::go);
}

TEST_F(PacingTest, WakesACallWhenALearnedLimitRisesWhileARequestIsInFlight) {
  retrieve(0ns, {.refusedBy = RateLimitedReason::globalConcurrency});
  PacedCall first = call("sk_live_1", "pi_1");
  ASSERT_EQ(first.ask(now, Instant::max()), PacedCall::Verdict::go);
  first.sending(now);
  PacedCall second = call("sk_live_1", "pi_2");
  ASSERT_EQ(second.ask(now, Instant::max()), PacedCall::Verdict::wait);
  EXPECT_EQ(second.wakeUp(), now + 60s);
  EXPECT_EQ(second.askAgain(now + 60s, Instant::max()), PacedCall::Verdict::go);
}

/// A retrieval, and a report that follows it, under a limit.
struct PacedInTurn {
  PacedInTurn(std::string_view limit, std::int64_t value, std::shared_ptr<PacerShare> share = nullptr)
      : pacing(LimitPlan{operations, limits::all},
               PacerOptions{.limits = {{.limit = std::string{limit}, .value = value}},
                            .windowMargin = 0ms,
                            .share = std::move(share)}) {
    pacing.begin(now - 24h);
  }

  /// Gives this process `units` units of each limit, which may be fewer than are noted for it.
  void setShares(std::int64_t units, std::int64_t noted = 1) {
    const ShareOfLimit share{.units = units, .noted = std::max(units, noted), .until = Instant::max()};
    (void)pacing.setShares(std::vector(pacing.measureShared().size(), share), now);
  }

  /// Sends one request and ends it with `outcome`.
  void carryOut(const PacedOutcome& outcome = {.responded = true}) {
    PacedCall call{pacing, paymentRecordsRetrieve, readOf, request};
    ASSERT_EQ(call.ask(now, Instant::max()), PacedCall::Verdict::go);
    call.sending(now);
    call.responded(now, outcome);
  }

  Instant now{365 * 24h};
  Pacing pacing;
  HttpRequest request{.headers = {{"Authorization", "Bearer sk_live_1"}}};
  PacedRequest readOf = pacing.request(paymentRecordsRetrieve, "pr_1", {});
  PacedCall other{pacing, paymentRecordsRetrieve, readOf, request};
  PacedCall report{pacing, paymentRecordsReportFailed, pacing.request(paymentRecordsReportFailed, "pr_1", {}),
                   request};
  PacedCall retrieval{pacing, paymentRecordsRetrieve, readOf, request, &report};
};

/// Nobody waits for the thread of `first` until it asks again.
TEST(PacingWithdrawal, KeepsThePlaceInTheOrder) {
  PacedInTurn calls{"global_rate", 1};
  PacedCall first{calls.pacing, paymentRecordsRetrieve, calls.readOf, calls.request};
  PacedCall second{calls.pacing, paymentRecordsRetrieve, calls.readOf, calls.request};
  ASSERT_EQ(calls.other.ask(calls.now, Instant::max()), PacedCall::Verdict::go);
  calls.other.sending(calls.now);
  calls.other.responded(calls.now, {.responded = true});
  ASSERT_EQ(first.ask(calls.now, Instant::max()), PacedCall::Verdict::wait);
  ASSERT_EQ(second.ask(calls.now, Instant::max()), PacedCall::Verdict::wait);
  EXPECT_EQ(second.wakeUp(), std::nullopt) << "the first one serves the queue";
  first.withdraw();
  EXPECT_EQ(calls.pacing.counts().waiting, 1U);
  EXPECT_TRUE(second.wakeToken().stop_requested()) << "now it serves the queue itself";
  ASSERT_EQ(second.askAgain(calls.now, Instant::max()), PacedCall::Verdict::wait);
  EXPECT_EQ(second.wakeUp(), calls.now + 1s);
  ASSERT_EQ(first.askAgain(calls.now, Instant::max()), PacedCall::Verdict::wait);
  EXPECT_EQ(second.askAgain(calls.now + 1s, Instant::max()), PacedCall::Verdict::wait);
  EXPECT_EQ(first.askAgain(calls.now + 1s, Instant::max()), PacedCall::Verdict::go);
}

/// Waiting for two units would be in vain.
TEST(PacingInTurn, NeedsOnlyOneSlotAtATimeIfThereIsOnlyOne) {
  for (const std::string_view limit : {"global_rate", "global_concurrency"}) {
    PacedInTurn calls{limit, 1};
    ASSERT_EQ(calls.retrieval.ask(calls.now, Instant::max()), PacedCall::Verdict::go) << limit;
    calls.retrieval.sending(calls.now);
    calls.retrieval.responded(calls.now, {.responded = true});
    EXPECT_EQ(calls.report.ask(calls.now + 1s, Instant::max()), PacedCall::Verdict::go) << limit;
  }
}

TEST(PacingInTurn, NeedsOnlyOneConcurrencySlot) {
  PacedInTurn calls{"global_concurrency", 2};
  ASSERT_EQ(calls.other.ask(calls.now, Instant::max()), PacedCall::Verdict::go);
  calls.other.sending(calls.now);
  EXPECT_EQ(calls.retrieval.ask(calls.now, Instant::max()), PacedCall::Verdict::go);
}

TEST(PacingInTurn, KeepsTheUnitsOfBothCallsWhenAskedAgain) {
  PacedInTurn calls{"global_rate", 2};
  ASSERT_EQ(calls.retrieval.ask(calls.now, Instant::max()), PacedCall::Verdict::go);
  ASSERT_EQ(calls.other.ask(calls.now, Instant::max()), PacedCall::Verdict::wait);
  EXPECT_EQ(calls.retrieval.ask(calls.now, Instant::max()), PacedCall::Verdict::go);
  EXPECT_EQ(calls.report.ask(calls.now, Instant::max()), PacedCall::Verdict::go);
}

TEST(PacingInTurn, ReleasesTheUnitsOfBothCallsWhenTheFirstLeaves) {
  PacedInTurn calls{"global_rate", 2};
  ASSERT_EQ(calls.other.ask(calls.now, Instant::max()), PacedCall::Verdict::go);
  {
    PacedCall leaving{calls.pacing, paymentRecordsRetrieve, calls.readOf, calls.request, &calls.report};
    ASSERT_EQ(leaving.ask(calls.now, Instant::max()), PacedCall::Verdict::wait);
  }
  const PacedAccount account = calls.pacing.accountOf("sk_live_1", {});
  for (const PacerUsage& usage : calls.pacing.usage(account, calls.now))
    EXPECT_NE(usage.operation, paymentRecordsReportFailed.name) << usage;
  EXPECT_EQ(calls.report.ask(calls.now, Instant::max()), PacedCall::Verdict::go);
}

TEST(PacingInTurn, SeparatesTheCallsWhenTheShareFallsToOneUnit) {
  PacedInTurn calls{"global_rate", 2, std::make_shared<MemoryShare>()};
  calls.setShares(2);
  ASSERT_EQ(calls.other.ask(calls.now, Instant::max()), PacedCall::Verdict::go);
  ASSERT_EQ(calls.retrieval.ask(calls.now, Instant::max()), PacedCall::Verdict::wait);
  calls.setShares(1, 2);
  EXPECT_TRUE(calls.retrieval.wakeToken().stop_requested());
  ASSERT_EQ(calls.retrieval.askAgain(calls.now, Instant::max()), PacedCall::Verdict::go);
  EXPECT_EQ(calls.report.ask(calls.now, Instant::max()), PacedCall::Verdict::wait);
}

/// `second` holds a unit of its endpoint's limit. While it waits for that of the account, it loses the share.
TEST(PacingInTurn, ReacquiresUnitsLostWhenTheShareIsReduced) {
  PacedInTurn calls{"global_concurrency", 1, std::make_shared<MemoryShare>()};
  calls.setShares(5);
  PacedCall second{calls.pacing, paymentRecordsRetrieve, calls.readOf, calls.request};
  ASSERT_EQ(calls.other.ask(calls.now, Instant::max()), PacedCall::Verdict::go);
  calls.other.sending(calls.now);
  ASSERT_EQ(second.ask(calls.now, Instant::max()), PacedCall::Verdict::wait);
  calls.setShares(1);
  calls.other.responded(calls.now, {.responded = true});
  EXPECT_EQ(second.askAgain(calls.now, Instant::max()), PacedCall::Verdict::wait);
  EXPECT_EQ(second.askAgain(calls.now + 1s, Instant::max()), PacedCall::Verdict::go);
}

TEST(PacingInTurn, DoesNotCombineTheCallsWhenTheShareIsOneUnit) {
  PacedInTurn calls{"global_rate", 2, std::make_shared<MemoryShare>()};
  ASSERT_EQ(calls.retrieval.ask(calls.now, Instant::max()), PacedCall::Verdict::go);
  EXPECT_EQ(calls.report.ask(calls.now, Instant::max()), PacedCall::Verdict::wait);
}

TEST(PacingUntilADeadline, WaitsForAShareThatMayGrow) {
  PacedInTurn calls{"global_rate", 5, std::make_shared<MemoryShare>()};
  calls.carryOut();
  const Instant until = calls.now + 900ms;
  ASSERT_EQ(calls.report.ask(calls.now, until), PacedCall::Verdict::wait);
  EXPECT_EQ(calls.report.wakeUp(), until) << "before a request leaves the window";
  calls.setShares(2);
  EXPECT_TRUE(calls.report.wakeToken().stop_requested());
  EXPECT_EQ(calls.report.askAgain(calls.now + 100ms, until), PacedCall::Verdict::go);
}

/// The time of the exchange counts, although no call has shown it yet.
TEST(PacingShare, AdmitsACallThatMayBeginWhenItArrives) {
  PacedInTurn calls{"global_rate", 2, std::make_shared<MemoryShare>()};
  calls.setShares(2);
  calls.carryOut();
  calls.carryOut();
  ASSERT_EQ(calls.report.ask(calls.now, Instant::max()), PacedCall::Verdict::wait);
  calls.now += 1s;
  calls.setShares(2);
  EXPECT_TRUE(calls.report.wakeToken().stop_requested());
  EXPECT_EQ(calls.report.askAgain(calls.now, Instant::max()), PacedCall::Verdict::go);
}

TEST(PacingUntilADeadline, EndsIfTheShareDoesNotGrow) {
  PacedInTurn calls{"global_rate", 5, std::make_shared<MemoryShare>()};
  calls.carryOut();
  const Instant until = calls.now + 900ms;
  ASSERT_EQ(calls.report.ask(calls.now, until), PacedCall::Verdict::wait);
  EXPECT_EQ(calls.report.askAgain(until - 1ns, until), PacedCall::Verdict::wait);
  EXPECT_EQ(calls.report.askAgain(until, until), PacedCall::Verdict::tooLong);
  EXPECT_EQ(calls.report.limit(), "global_rate");
}

TEST(PacingUntilADeadline, WaitsForARequestInFlightThatMayNotCount) {
  PacedInTurn calls{"global_rate", 2};
  calls.carryOut();
  ASSERT_EQ(calls.other.ask(calls.now, Instant::max()), PacedCall::Verdict::go);
  calls.other.sending(calls.now);
  const Instant until = calls.now + 900ms;
  ASSERT_EQ(calls.report.ask(calls.now, until), PacedCall::Verdict::wait);
  calls.other.responded(calls.now + 100ms, {.counted = false});
  EXPECT_TRUE(calls.report.wakeToken().stop_requested());
  EXPECT_EQ(calls.report.askAgain(calls.now + 100ms, until), PacedCall::Verdict::go);
}

TEST(PacingUntilADeadline, DoesNotWaitIfTheWholeLimitIsUsed) {
  PacedInTurn calls{"global_rate", 2, std::make_shared<MemoryShare>()};
  calls.setShares(2);
  calls.carryOut();
  calls.carryOut();
  EXPECT_EQ(calls.report.ask(calls.now, calls.now + 1s), PacedCall::Verdict::tooLong);
  EXPECT_EQ(calls.report.ask(calls.now, calls.now + 1s + 1ns), PacedCall::Verdict::wait);
}

TEST(PacingUntilADeadline, DoesNotWaitIfALoweredLimitIsUsed) {
  PacedInTurn calls{"global_rate", 25};
  calls.carryOut({.refusedBy = RateLimitedReason::globalRate});
  EXPECT_EQ(calls.report.ask(calls.now, calls.now + 1s), PacedCall::Verdict::tooLong);
  EXPECT_EQ(calls.report.ask(calls.now, calls.now + 1s + 1ns), PacedCall::Verdict::wait);
}

}  // namespace
}  // namespace tally::detail
