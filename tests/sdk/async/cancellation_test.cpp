// A stop request ends a call at any stage with a truthful error, and leaves nothing behind.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/observer.h>
#include <tally/pacer.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/held_requests.h"
#include "sdk/support/suspended.h"

namespace tally::cancellationTest {
namespace {

using namespace std::chrono_literals;
using test::startSuspended;
using test::Suspended;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::chrono::sys_seconds failedAt{1'750'000'000s};

/// Notes each event as `kind object`.
class Notes final : public Observer {
 public:
  void on(const Event& event) noexcept override {
    std::string line{toString(event.kind)};
    if (event.error != nullptr) line += ' ' + std::string{toString(event.error->kind())};
    lines.push_back(line);
  }
  std::vector<std::string> lines{};
};

std::string summaryOf(const Result<PaymentRecord>& result) {
  if (result) return "success";
  return std::string{toString(result.error().kind())} + ", " +
         std::string{toString(result.error().effect())} + ", " +
         std::to_string(result.error().attemptCount());
}

class Cancellation : public testing::Test {
 protected:
  std::string insertRecord() { return service.insert<PaymentRecord>(account.sandboxKey).id.str(); }

  ClientOptions options() {
    ClientOptions made = service.clientOptions(account.sandboxKey);
    made.observer = notes;
    made.pacer = pacer;
    return made;
  }

  void report(AsyncClient& async, const std::string& id, std::string name, std::stop_token token = {}) {
    async.paymentRecords()
        .reportFailed(id, {.failedAt = failedAt}, {.stop = token})
        .then([this, name = std::move(name)](const Result<PaymentRecord>& result) {
          log.push_back(name + ": " + summaryOf(result));
        });
  }
  void stopAfter(AsyncClient& async, std::chrono::nanoseconds time) {
    async.sleepFor(time).then([this](const Result<void>&) { stop.request_stop(); });
  }

  /// Of three reports, the second one is stopped while it waits for the first.
  void stopTheSecondOfThree(AsyncClient& async, const std::string& first, const std::string& second,
                            const std::string& third) {
    report(async, first, "first");
    report(async, second, "second", stop.get_token());
    report(async, third, "third");
    stopAfter(async, 10ms);
    async.run();
    EXPECT_THAT(log, ElementsAre("second: canceled, none, 0", "first: success", "third: success"));
    EXPECT_EQ(service.requests().size(), 2U);
  }

  /// The units, the slot and the turn have been given back, and the next call succeeds.
  void expectNothingLeft(AsyncClient& async, const std::string& id) {
    EXPECT_EQ(async.counts().inFlight, 0U);
    EXPECT_EQ(async.counts().waiting, 0U);
    if (pacer) {
      EXPECT_EQ(pacer->counts().inFlight, 0U);
      EXPECT_EQ(pacer->counts().waiting, 0U);
    }
    async.paymentRecords().retrieve(id).then(
        [](const Result<PaymentRecord>& healthy) { EXPECT_TRUE(healthy.has_value()); });
    async.run();
    log.clear();
    report(async, insertRecord(), "healthy");
    report(async, id, "same object");
    async.run();
    EXPECT_EQ(log.size(), 2U);
    EXPECT_EQ(log.front(), "healthy: success");
  }

  fake::Service service{};
  fake::Account account = service.addAccount();
  std::shared_ptr<Notes> notes = std::make_shared<Notes>();
  std::shared_ptr<Pacer> pacer{};
  std::stop_source stop{};
  std::vector<std::string> log{};
};

/// With the usual client and a record.
class CancellationOfACall : public Cancellation {
 protected:
  AsyncClient async{options()};
  const std::string id = insertRecord();
};

TEST_F(CancellationOfACall, PreventsTheRequestIfTheCallHasNotStarted) {
  stop.request_stop();
  report(async, id, "call", stop.get_token());
  EXPECT_TRUE(log.empty());
  async.run();
  EXPECT_THAT(log, ElementsAre("call: canceled, none, 0"));
  EXPECT_TRUE(service.requests().list().empty());
  expectNothingLeft(async, id);
}

TEST_F(CancellationOfACall, PreventsTheRequestIfRunHasNotBegun) {
  report(async, id, "call", stop.get_token());
  stop.request_stop();
  EXPECT_TRUE(log.empty());
  async.run();
  EXPECT_THAT(log, ElementsAre("call: canceled, none, 0"));
  EXPECT_TRUE(service.requests().list().empty());
  expectNothingLeft(async, id);
}

TEST_F(CancellationOfACall, RemovesTheCallFromTheMutationQueue) {
  stopTheSecondOfThree(async, id, id, id);
  expectNothingLeft(async, id);
}

TEST_F(Cancellation, EndsAWaitForThePacer) {
  pacer = std::make_shared<Pacer>(PacerOptions{.limits = {{.limit = "endpoint_rate", .value = 1}}});
  AsyncClient async{options()};
  const std::string id = insertRecord();
  stopTheSecondOfThree(async, insertRecord(), id, insertRecord());
  ASSERT_EQ(service.requests().size(), 2U);
  EXPECT_LT(service.requests().list()[1].time - service.requests().list()[0].time, 1'200ms)
      << "the unit was not given back";
  expectNothingLeft(async, id);
}

TEST_F(Cancellation, EndsAWaitForASlot) {
  AsyncClient async{options(), {.maxInFlight = 1}};
  const std::string id = insertRecord();
  stopTheSecondOfThree(async, insertRecord(), id, insertRecord());
  expectNothingLeft(async, id);
}

TEST_F(Cancellation, EndsACallAtTheMomentItIsAdmitted) {
  AsyncClient async{options(), {.maxInFlight = 1}};
  const std::string id = insertRecord();
  async.paymentRecords().retrieve(insertRecord()).then([this](const Result<PaymentRecord>&) {
    stop.request_stop();
  });
  report(async, id, "second", stop.get_token());
  report(async, insertRecord(), "third");
  async.run();
  EXPECT_THAT(log, ElementsAre("second: canceled, none, 0", "third: success"));
  expectNothingLeft(async, id);
}

TEST_F(Cancellation, EndsTheBackoff) {
  ClientOptions retrying = options();
  retrying.maxNetworkRetries = 3;
  AsyncClient async{std::move(retrying)};
  const std::string id = insertRecord();
  service.faults().inject({.error = "lock_timeout"});
  report(async, id, "call", stop.get_token());
  stopAfter(async, 100ms);
  async.run();
  EXPECT_THAT(log, ElementsAre("call: canceled, none, 1"));
  EXPECT_EQ(service.requests().size(), 1U);
  expectNothingLeft(async, id);
}

TEST_F(Cancellation, EndsAReadInFlight) {
  AsyncClient async{options(), {.maxInFlight = 1}};
  const std::string id = insertRecord();
  async.paymentRecords()
      .retrieve(id, {.stop = stop.get_token()})
      .then([this](const Result<PaymentRecord>& result) { log.push_back(summaryOf(result)); });
  stopAfter(async, 10ms);
  const Instant start = service.clock()->now();
  async.run();
  EXPECT_THAT(log, ElementsAre("canceled, none, 1"));
  EXPECT_EQ(service.clock()->now() - start, 10ms);
  expectNothingLeft(async, id);
}

TEST_F(Cancellation, EndsAReportInFlightWithAnUnknownEffect) {
  pacer = std::make_shared<Pacer>();
  AsyncClient async{options(), {.maxInFlight = 1}};
  const std::string id = insertRecord();
  report(async, id, "first", stop.get_token());
  report(async, id, "second");
  stopAfter(async, 10ms);
  std::vector<std::size_t> inFlight;
  async.sleepFor(20ms).then([&](const Result<void>&) {
    inFlight = {pacer->counts().inFlight, async.counts().inFlight, async.counts().waiting};
  });
  async.run();
  EXPECT_THAT(inFlight, ElementsAre(1U, 1U, 2U)) << "the second report waits, and the pause completes";
  EXPECT_THAT(log, ElementsAre("first: canceled, unknown, 1", "second: success"));
  ASSERT_EQ(service.requests().size(), 2U);
  EXPECT_EQ(service.requests().list()[1].time - service.requests().list()[0].time, 50ms);
  EXPECT_THAT(notes->lines, ElementsAre("attempt_started", "queued", "attempt_ended", "call_ended canceled",
                                        "dequeued", "attempt_started", "attempt_ended", "call_ended"))
      << "the observer learns that the first request succeeded";
  expectNothingLeft(async, id);
}

/// The reads that follow the canceled resend are not sent, and leave the turn to it.
TEST_F(Cancellation, KeepsTheTurnOfAResolutionUntilItsResendHasEnded) {
  const std::string id = insertRecord();
  (void)service.faults().inject({.operation = "payment_records.report_failed", .latency = 1s});
  AsyncClient async{options()};
  const PaymentRecordReport params = PaymentRecordReportFailedParams{.failedAt = failedAt};
  async.paymentRecords()
      .resolveReport(Id<PaymentRecord>{id}, params, {}, {.stop = stop.get_token()})
      .then([this](const Result<ReportCheck<PaymentRecord>>& check) {
        log.push_back(check.has_value() ? "resolved" : "unresolved");
      });
  stopAfter(async, 100ms);
  async.sleepFor(200ms).then([&](const Result<void>&) { report(async, id, "next"); });
  async.run();
  EXPECT_THAT(log, ElementsAre("unresolved", "next: success"));
  const auto requests = service.requests().matching({.operation = "payment_records.report_failed"});
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[1].time, requests[0].respondedAt);
  expectNothingLeft(async, id);
}

TEST_F(Cancellation, MakesRunWaitForTheEndOfAReportInFlight) {
  const Client client{options()};
  AsyncClient async{client};
  const std::string id = insertRecord();
  report(async, id, "first", stop.get_token());
  stopAfter(async, 10ms);
  async.run();
  EXPECT_THAT(notes->lines, ElementsAre("attempt_started", "attempt_ended", "call_ended canceled"));
  EXPECT_TRUE(client.paymentRecords().reportFailed(id, {.failedAt = failedAt})) << "it has the turn";
}

TEST_F(Cancellation, EndsAReportInFlightWhoseResponseIsLost) {
  service.faults().inject({.fault = fake::Fault::responseLost});
  AsyncClient async{options()};
  const std::string id = insertRecord();
  report(async, id, "first", stop.get_token());
  stopAfter(async, 10ms);
  async.run();
  EXPECT_THAT(log, ElementsAre("first: canceled, unknown, 1"));
  EXPECT_THAT(notes->lines,
              ElementsAre("attempt_started", "attempt_ended connection failure", "call_ended canceled"));
}

TEST_F(Cancellation, EndsAReportThatHasNotReachedTheService) {
  service.faults().inject({.fault = fake::Fault::connectionRefused});
  AsyncClient async{options()};
  const std::string id = insertRecord();
  report(async, id, "first", stop.get_token());
  stopAfter(async, 10ms);
  async.run();
  EXPECT_THAT(log, ElementsAre("first: canceled, none, 1"));
  expectNothingLeft(async, id);
}

/// A clock that skips waits, and throws once if told to.
class ClockThatFails final : public Clock {
 public:
  [[nodiscard]] Instant now() const override {
    if (std::exchange(fails, false)) throw std::runtime_error{"no time"};
    return now_;
  }
  bool sleepUntil(Instant time, StopToken) override {
    now_ = std::max(now_, time);
    return true;
  }
  bool waitUntil(Instant time, StopToken) override { return time <= now_; }

  mutable bool fails = false;

 private:
  Instant now_{};
};

TEST_F(Cancellation, PassesTheTurnOnWhenTheRequestEndsEvenIfTheClockThenThrows) {
  const auto clock = std::make_shared<ClockThatFails>();
  const auto transport = std::make_shared<test::HeldRequests>();
  AsyncClient async{ClientOptions{.apiKey = "sk_test_1",
                                  .baseUrl = "https://service.test",
                                  .transport = transport,
                                  .clock = clock,
                                  .observer = notes}};
  report(async, "pr_1", "first", stop.get_token());
  report(async, "pr_1", "second");
  stopAfter(async, 10ms);
  const auto endAfter = [&](std::chrono::nanoseconds time, std::size_t number, bool clockFails) {
    async.sleepFor(time).then([=](const Result<void>&) {
      clock->fails = clockFails;
      transport->end(number, HttpResponse{.status = 500});
    });
  };
  endAfter(20ms, 0, true);
  endAfter(30ms, 1, false);
  async.run();
  EXPECT_THAT(log, ElementsAre("first: canceled, unknown, 1", "second: server error, unknown, 1"));
  EXPECT_EQ(std::ranges::count(notes->lines, "call_ended exception"), 1) << "of the first";
  EXPECT_EQ(async.counts().inFlight, 0U);
  EXPECT_EQ(async.counts().waiting, 0U);
}

TEST_F(Cancellation, DoesNotTouchTheAttemptsOfACompletedCall) {
  std::vector<Attempt> attempts;
  AsyncClient async{options()};
  async.paymentRecords()
      .reportFailed(insertRecord(), {.failedAt = failedAt}, {.stop = stop.get_token(), .attempts = &attempts})
      .then([&](const Result<PaymentRecord>&) {
        EXPECT_EQ(attempts.size(), 1U);
        attempts.clear();
      });
  stopAfter(async, 10ms);
  async.run();
  EXPECT_TRUE(attempts.empty());
}

TEST_F(CancellationOfACall, CanBeRequestedFromAnotherThread) {
  const auto hold = service.holds().lockObject(account.sandboxKey, id);
  service.clock()->freeze();
  async.paymentRecords()
      .retrieve(id, {.stop = stop.get_token()})
      .then([this](const Result<PaymentRecord>& result) { log.push_back(summaryOf(result)); });
  std::jthread other{[this] {
    while (service.requests().list().empty())
      std::this_thread::yield();
    stop.request_stop();
  }};
  async.run();
  EXPECT_THAT(log, ElementsAre("canceled, none, 1"));
}

TEST_F(Cancellation, NeverCompletesACallWithinRequestStop) {
  AsyncClient async{options()};
  report(async, insertRecord(), "call", stop.get_token());
  async.sleepFor(10ms).then([this](const Result<void>&) {
    stop.request_stop();
    log.emplace_back("requested");
  });
  async.run();
  EXPECT_THAT(log, ElementsAre("requested", "call: canceled, unknown, 1"));
}

// ---------------------------------------------------------------------------------------------------------

Task<> reportAndNote(AsyncClient& async, std::string id, std::vector<std::string>& log,
                     std::vector<Attempt>* attempts = nullptr) {
  const auto result =
      co_await async.paymentRecords().reportFailed(id, {.failedAt = failedAt}, {.attempts = attempts});
  log.push_back(summaryOf(result));
}

TEST_F(CancellationOfACall, HappensWhenTheSuspendedCoroutineIsDestroyed) {
  const Suspended holder = startSuspended(reportAndNote(async, id, log));
  async.sleepFor(10ms).then([&](const Result<void>&) { holder.coroutine.destroy(); });
  report(async, id, "second");
  async.run();
  EXPECT_THAT(log, ElementsAre("second: success"));
  EXPECT_EQ(service.requests().size(), 2U);
  expectNothingLeft(async, id);
}

TEST_F(CancellationOfACall, HappensWhenTheCoroutineIsDestroyedBeforeRun) {
  startSuspended(reportAndNote(async, id, log)).coroutine.destroy();
  async.run();
  EXPECT_TRUE(log.empty());
  EXPECT_TRUE(service.requests().list().empty());
  expectNothingLeft(async, id);
}

Task<> resolve(const AsyncClient& async, std::string id) {
  const PaymentRecordReport params = PaymentRecordReportFailedParams{.failedAt = failedAt};
  (void)co_await async.paymentRecords().resolveReport(Id<PaymentRecord>{std::move(id)}, params);
}

/// Other timers decide in which turn of the loop the resend fails.
TEST_F(Cancellation, EndsAResolutionWhoseResendFailsMeanwhile) {
  ClientOptions made = options();
  made.maxNetworkRetries = 1;
  made.backoff = {.initial = 60s, .cap = 60s};
  for (int others = 0; others < 6; ++others) {
    AsyncClient async{made};
    (void)service.faults().inject(
        {.operation = "payment_records.report_failed", .error = "lock_timeout", .latency = 1s});
    const Instant failed = service.clock()->now() + 1100ms;  // with the usual latencies
    const Suspended holder = startSuspended(resolve(async, insertRecord()));
    async.sleepUntil(failed).then([&](const Result<void>&) { holder.coroutine.destroy(); });
    for (int i = 0; i < others; ++i)
      async.sleepUntil(failed).then([](const Result<void>&) {});
    async.run();
    EXPECT_EQ(service.clock()->now(), failed) << "with " << others << " other timers";
  }
}

TEST_F(Cancellation, DoesNotTouchTheAttemptsOfADestroyedCoroutine) {
  AsyncClient async{options()};
  std::vector<Attempt> attempts;
  const Suspended holder = startSuspended(reportAndNote(async, insertRecord(), log, &attempts));
  async.sleepFor(10ms).then([&](const Result<void>&) { holder.coroutine.destroy(); });
  async.run();
  EXPECT_EQ(service.requests().size(), 1U);
  EXPECT_TRUE(attempts.empty()) << "the coroutine may have owned them";
}

Task<> iterate(AsyncPager<PaymentRecord>& pager, std::function<bool(PaymentRecord&)> consume) {
  (void)co_await pager.forEach(consume);
}

TEST_F(Cancellation, EndsTheIterationInADestroyedCoroutine) {
  (void)insertRecord();
  AsyncClient async{options()};
  auto pager = async.paymentRecords().list({});
  int consumed = 0;
  async.sleepFor(50ms).then([&](const Result<void>&) { stop.request_stop(); });
  const Suspended holder = startSuspended(iterate(pager, [&](PaymentRecord&) {
    ++consumed;
    return true;
  }));
  // Ends as a task, in the poll of the loop in which the list arrives.
  async.paymentRecords().retrieve("pr_1", {.stop = stop.get_token()}).then([&](const Result<PaymentRecord>&) {
    holder.coroutine.destroy();
  });
  async.run();
  EXPECT_EQ(service.requests().size(), 2U);
  EXPECT_EQ(consumed, 0) << "the consumer may have referred to the coroutine";
}

/// An iteration over a page of three records, whose consumer cancels it.
class CancellationByAConsumer : public Cancellation {
 protected:
  /// Calls `cancel` for the object of that number.
  void cancelAt(int number, const std::function<void()>& cancel) {
    auto count = pager
                     ->forEach([&](PaymentRecord&) {
                       if (++consumed == number) cancel();
                       return true;
                     })
                     .future();
    async->run();
    const auto result = count.get();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::canceled);
    EXPECT_EQ(consumed, number);
    EXPECT_EQ(service.requests().size(), 1U);
  }

  std::vector<std::string> ids{insertRecord(), insertRecord(), insertRecord()};
  std::unique_ptr<AsyncClient> async = std::make_unique<AsyncClient>(options());
  std::optional<AsyncPager<PaymentRecord>> pager{
      async->paymentRecords().list({}, {.stop = stop.get_token()})};
  int consumed = 0;
};

TEST_F(CancellationByAConsumer, EndsTheIterationWhenThePagerIsDestroyed) {
  cancelAt(1, [&] { pager.reset(); });
}

TEST_F(CancellationByAConsumer, EndsTheIterationWhenAStopIsRequested) {
  cancelAt(1, [&] { stop.request_stop(); });
  EXPECT_FALSE(pager->checkpoint().empty());
}

TEST_F(CancellationByAConsumer, EndsTheIterationWhenTheClientIsDestroyed) {
  cancelAt(1, [&] { async.reset(); });
}

TEST_F(CancellationByAConsumer, EndsTheIterationEvenAtTheLastObject) {
  cancelAt(3, [&] { stop.request_stop(); });
}

using AsyncPrefetch = Cancellation;

TEST_F(AsyncPrefetch, DeliversOnlyTheAttemptsOfPagesThatWereAskedFor) {
  for (int i = 0; i < 3; ++i)
    (void)insertRecord();
  AsyncClient async{options()};
  std::vector<Attempt> attempts;
  auto pager = async.paymentRecords().list({.limit = 1}, {.attempts = &attempts}).prefetch();
  for (std::size_t page = 1; page <= 3; ++page) {
    pager.nextPage().then([](const auto&) {});
    async.sleepFor(1s).then([](const auto&) {});
    async.run();
    EXPECT_EQ(service.requests().size(), std::min<std::size_t>(page + 1, 3));
    EXPECT_EQ(attempts.size(), page) << "of the pages that were asked for";
  }
}

TEST_F(Cancellation, HappensWhenACallIsDestroyedBeforeItStarts) {
  AsyncClient async{options()};
  (void)async.paymentRecords().retrieve(insertRecord());
  async.run();
  EXPECT_TRUE(service.requests().list().empty());
}

using StartOfACall = Cancellation;

TEST_F(StartOfACall, IsPossibleOnlyOnce) {
  AsyncClient async{options()};
  auto call = async.paymentRecords().retrieve(insertRecord());
  call.then([](const Result<PaymentRecord>&) {});
  EXPECT_THROW(call.then([](const Result<PaymentRecord>&) {}), std::logic_error);
  EXPECT_THROW((void)call.future(), std::logic_error);
  async.run();
  EXPECT_EQ(service.requests().size(), 1U);
}

Task<> awaitTwoPages(AsyncPager<PaymentRecord>& pager, std::vector<std::string>& log) {
  try {
    (void)co_await pager.nextPage();
  } catch (const std::logic_error&) {
    log.emplace_back("refused");
  }
}

TEST_F(StartOfACall, ThrowsInTheCoroutineWhenItFails) {
  AsyncClient async{options()};
  auto pager = async.paymentRecords().list({});
  auto first = pager.nextPage().future();
  spawn(awaitTwoPages(pager, log));
  EXPECT_THAT(log, ElementsAre("refused"));
  async.run();
  EXPECT_TRUE(first.get());
}

TEST_F(Cancellation, HappensWhenThePagerIsDestroyed) {
  AsyncClient async{options()};
  for (int i = 0; i < 3; ++i)
    (void)insertRecord();
  std::optional<AsyncPager<PaymentRecord>> pager{async.paymentRecords().list({.limit = 1}).prefetch()};
  auto first = pager->nextPage().future();
  async.run();
  EXPECT_TRUE(first.get());
  auto second = pager->nextPage().future();
  pager.reset();
  async.run();
  const auto result = second.get();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind(), ErrorKind::canceled);
}

Task<> awaitPage(AsyncPager<PaymentRecord>& pager) {
  (void)co_await pager.nextPage();
}

TEST_F(Cancellation, LosesNoPrefetchedPage) {
  AsyncClient async{options()};
  for (int i = 0; i < 3; ++i)
    (void)insertRecord();
  auto pager = async.paymentRecords().list({.limit = 1}).prefetch();
  auto first = pager.nextPage().future();
  async.run();
  const auto one = first.get().value()->data.at(0).id;
  const Suspended holder = startSuspended(awaitPage(pager));
  async.sleepFor(0ms).then([&](const Result<void>&) { holder.coroutine.destroy(); });
  async.run();
  auto second = pager.nextPage().future();
  async.run();
  auto third = pager.nextPage().future();
  async.run();
  const auto two = second.get().value();
  const auto three = third.get().value();
  ASSERT_TRUE(two && three);
  EXPECT_NE(two->data.at(0).id, one);
  EXPECT_FALSE(three->hasMore);
}

}  // namespace
}  // namespace tally::cancellationTest
