// close(), destruction, bounds and handlers that throw: each call completes once.

#include <atomic>
#include <chrono>
#include <coroutine>
#include <exception>
#include <fstream>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/observer.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "sdk/support/suspended.h"

namespace tally::shutdownTest {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::chrono::sys_seconds failedAt{1'750'000'000s};

std::string summaryOf(const Result<PaymentRecord>& result) {
  if (result) return "success";
  return std::string{toString(result.error().kind())} + ", " + std::string{toString(result.error().effect())};
}

/// A transport that blocks, so that an AsyncClient has its own thread.
class OwnThread final : public Transport {
 public:
  explicit OwnThread(std::shared_ptr<Transport> inner) : inner_(std::move(inner)) {}
  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    if (throws) throw std::runtime_error{"no transport"};
    return inner_->send(request, limits);
  }
  std::atomic<bool> throws = false;

 private:
  std::shared_ptr<Transport> inner_;
};

class AsyncClientTest : public testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] static bool ownThread() { return GetParam(); }

  std::string insertRecord() { return service.insert<PaymentRecord>(account.sandboxKey).id.str(); }

  ClientOptions options() {
    ClientOptions made = service.clientOptions(account.sandboxKey);
    if (ownThread()) made.transport = transport;
    return made;
  }
  /// The observer lives as long as any state of the client.
  ClientOptions observedBy(std::weak_ptr<Observer>& observer) {
    ClientOptions made = options();
    made.observer = combineObservers({});
    observer = made.observer;
    return made;
  }
  void retrieve(AsyncClient& async, const std::string& id) {
    async.paymentRecords().retrieve(id).then(
        [this](const Result<PaymentRecord>& result) { log.push_back(summaryOf(result)); });
  }
  void report(AsyncClient& async, const std::string& id) {
    async.paymentRecords()
        .reportFailed(id, {.failedAt = failedAt})
        .then([this](const Result<PaymentRecord>& result) { log.push_back(summaryOf(result)); });
  }

  fake::Service service{};
  fake::Account account = service.addAccount();
  std::shared_ptr<OwnThread> transport = std::make_shared<OwnThread>(service.transport());
  std::vector<std::string> log{};
};

INSTANTIATE_TEST_SUITE_P(, AsyncClientTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "OwnThread" : "InProcess"; });

using AsyncClientInProcess = AsyncClientTest;
INSTANTIATE_TEST_SUITE_P(, AsyncClientInProcess, testing::Values(false),
                         [](const auto&) { return std::string{"x"}; });

TEST_P(AsyncClientInProcess, CountsHowOutstandingCallsEndWhenItCloses) {
  AsyncClient async{options(), {.maxInFlight = 3}};
  service.durations().set("payment_records.report_canceled", 1s);
  const std::string slow = insertRecord();
  retrieve(async, insertRecord());
  async.paymentRecords()
      .reportCanceled(slow, {.canceledAt = failedAt})
      .then([this](const Result<PaymentRecord>& result) { log.push_back(summaryOf(result)); });
  report(async, slow);
  async.sleepFor(1h).then([](const Result<void>&) {});
  const CloseResult result = async.close(200ms);
  EXPECT_EQ(result.completed, 1U);
  EXPECT_EQ(result.unsent, 2U);
  EXPECT_EQ(result.unknown, 1U);
  EXPECT_THAT(log, ElementsAre("success", "canceled, unknown", "canceled, none"));
  EXPECT_EQ(async.counts().inFlight + async.counts().waiting, 0U);
  const CloseResult again = async.close();
  EXPECT_EQ(again.unknown, 1U) << "closing again changes nothing";
}

TEST_P(AsyncClientInProcess, ClosesAsSoonAsItsCallsEnd) {
  AsyncClient async{options()};
  retrieve(async, insertRecord());
  const Instant start = service.clock()->now();
  EXPECT_EQ(async.close(1h).completed, 1U);
  EXPECT_EQ(service.clock()->now() - start, 50ms);
}

TEST_P(AsyncClientInProcess, ReleasesTheTurnOfAReportInFlightWhenDestroyed) {
  const Client client{options()};
  const std::string id = insertRecord();
  {
    AsyncClient async{client};
    report(async, id);
    EXPECT_EQ(async.close(10ms).unknown, 1U);
  }
  EXPECT_THAT(log, ElementsAre("canceled, unknown"));
  EXPECT_EQ(client.mutations().inProgress, 0U);
}

TEST_P(AsyncClientInProcess, DropsAPrefetchedPageWhenItCloses) {
  std::weak_ptr<Transport> kept;
  for (int i = 0; i < 3; ++i)
    (void)insertRecord();
  {
    ClientOptions made = options();
    kept = made.transport;
    AsyncClient async{made};
    made.transport = nullptr;
    auto pager = async.paymentRecords().list({.limit = 1}).prefetch();
    auto page = pager.nextPage().future();
    async.run();
    EXPECT_TRUE(page.get());
    const Instant start = service.clock()->now();
    (void)async.close(1h);
    EXPECT_EQ(service.clock()->now(), start) << "nobody waits for it";
  }
  EXPECT_TRUE(kept.expired());
}

TEST_P(AsyncClientInProcess, IsNotKeptAliveByAPendingStopSignal) {
  std::weak_ptr<Transport> kept;
  {
    ClientOptions made = options();
    kept = made.transport;
    AsyncClient async{made};
    made.transport = nullptr;
    std::stop_source stop;
    async.paymentRecords()
        .retrieve(insertRecord(), {.stop = stop.get_token()})
        .then([&](const Result<PaymentRecord>&) { stop.request_stop(); });
    async.run();
    async.paymentRecords().retrieve(insertRecord()).then([](const Result<PaymentRecord>&) {});
  }
  EXPECT_TRUE(kept.expired());
}

TEST_P(AsyncClientTest, CancelsCallsThatStartAfterItCloses) {
  AsyncClient async{options()};
  auto records = async.paymentRecords();
  const std::string id = insertRecord();
  (void)async.close();
  retrieve(async, id);
  EXPECT_THAT(log, ElementsAre("canceled, none"));
  {
    const AsyncClient moved = std::move(async);
  }
  EXPECT_EQ(records.retrieve(id).future().get().error().kind(), ErrorKind::canceled);
  EXPECT_TRUE(service.requests().list().empty());
}

TEST_P(AsyncClientTest, CancelsCallsThatHandlersOfCanceledCallsStart) {
  AsyncClient async{options()};
  const std::string id = insertRecord();
  service.clock()->freeze();
  async.sleepFor(1h).then([&](const Result<void>& result) {
    log.emplace_back(toString(result.error().kind()));
    retrieve(async, id);
    log.emplace_back("started");
  });
  const CloseResult result = async.close();
  EXPECT_THAT(log, ElementsAre("canceled", "started", "canceled, none"));
  EXPECT_EQ(result.unsent, 1U) << "only what was outstanding";
}

TEST_P(AsyncClientTest, CanBeDestroyedButNotClosedInAHandler) {
  service.clock()->freeze();
  std::promise<void> ended;
  auto async = std::make_unique<AsyncClient>(options());
  AsyncClient& client = *async;
  client.sleepFor(1h).then([&](const Result<void>& result) {
    log.emplace_back(toString(result.error().kind()));
    ended.set_value();
  });
  client.sleepFor(0s).then([&](const Result<void>&) {
    EXPECT_THROW((void)async->close(), std::logic_error);
    EXPECT_THROW(async->run(), std::logic_error);
    async.reset();
    log.emplace_back("destroyed");
  });
  if (!ownThread()) client.run();
  ended.get_future().get();
  EXPECT_THAT(log, ElementsAre("destroyed", "canceled"));
}

TEST_P(AsyncClientInProcess, CanBeDestroyedInAHandlerThatThrows) {
  auto async = std::make_unique<AsyncClient>(options());
  AsyncClient& client = *async;
  client.sleepFor(1h).then(
      [&](const Result<void>& result) { log.emplace_back(toString(result.error().kind())); });
  client.sleepFor(1s).then([&](const Result<void>&) {
    async.reset();
    throw std::runtime_error{"first"};
  });
  EXPECT_THROW(client.run(), std::runtime_error);
  EXPECT_THAT(log, ElementsAre("canceled")) << "although nobody can call run() again";
}

TEST_P(AsyncClientInProcess, RethrowsAHandlerExceptionFromRun) {
  AsyncClient async{options()};
  retrieve(async, insertRecord());
  async.sleepFor(1ms).then([](const Result<void>&) { throw std::runtime_error{"first"}; });
  EXPECT_THROW(async.run(), std::runtime_error);
  EXPECT_THAT(log, IsEmpty());
  async.run();
  EXPECT_THAT(log, ElementsAre("success"));
}

TEST_P(AsyncClientTest, PassesOnAnExceptionFromAHandler) {
  std::promise<std::string> thrown;
  AsyncClient async{options(), {.onException = [&](const std::exception_ptr& exception) {
                      try {
                        std::rethrow_exception(exception);
                      } catch (const std::exception& known) {
                        thrown.set_value(known.what());
                      }
                    }}};
  async.sleepFor(1ms).then([](const Result<void>&) { throw std::runtime_error{"first"}; });
  async.run();
  EXPECT_EQ(thrown.get_future().get(), "first");
  retrieve(async, insertRecord());
  async.run();
  EXPECT_THAT(log, ElementsAre("success"));
}

TEST_P(AsyncClientTest, LosesNoResultsWhenItsExecutorDropsWork) {
  AsyncClient async{options(), {.executor = [](Completion) {}}};
  retrieve(async, insertRecord());
  async.run();
  EXPECT_THAT(log, ElementsAre("success"));
}

TEST_P(AsyncClientTest, CanBeDestroyedBeforeItsCompletionsRun) {
  std::vector<Completion> held;
  std::weak_ptr<Observer> observer;
  {
    AsyncClient async{observedBy(observer),
                      {.executor = [&](Completion done) { held.push_back(std::move(done)); }}};
    retrieve(async, insertRecord());
    report(async, insertRecord());
    async.run();
    EXPECT_THAT(log, IsEmpty());
  }
  ASSERT_THAT(held, SizeIs(2));
  held[0]();
  held.clear();
  EXPECT_THAT(log, ElementsAre("success", "success"));
  EXPECT_TRUE(observer.expired()) << "a call keeps the client's state";
}

Task<> retrieveAndForget(AsyncClient& async, std::string id) {
  (void)co_await async.paymentRecords().retrieve(id);
}

TEST_P(AsyncClientTest, LeaksNothingWhenTheCompletionOfACanceledCallIsHeld) {
  std::vector<Completion> held;
  std::weak_ptr<Observer> observer;
  {
    AsyncClient async{observedBy(observer),
                      {.executor = [&](Completion done) { held.push_back(std::move(done)); }}};
    const auto suspended = test::startSuspended(retrieveAndForget(async, insertRecord()));
    async.run();
    (void)async.close();
    suspended.coroutine.destroy();
  }
  ASSERT_THAT(held, SizeIs(1));
  held.clear();
  EXPECT_TRUE(observer.expired()) << "the call keeps the client's state";
}

void completeHere(Completion done) {
  done();
}

void completeInAnotherThread(Completion done) {
  const std::jthread other{[&] { done(); }};
}

TEST_P(AsyncClientTest, StartsNoCallsAfterItIsDestroyed) {
  for (auto* const complete : {completeHere, completeInAnotherThread}) {
    std::weak_ptr<Observer> observer;
    bool isKept = false;
    auto async = std::make_unique<AsyncClient>(
        observedBy(observer), AsyncOptions{.executor = [&observer, &isKept, complete](Completion done) {
          const auto& kept = observer;
          bool& noted = isKept;
          complete(std::move(done));  // might destroy the captures
          noted = !kept.expired();
        }});
    auto call = async->paymentRecords().retrieve("pr_1");
    async.reset();
    call.then([this](const Result<PaymentRecord>& result) { log.push_back(summaryOf(result)); });
    EXPECT_TRUE(isKept) << "while the executor runs";
    EXPECT_TRUE(observer.expired());
  }
  EXPECT_THAT(log, ElementsAre("canceled, none", "canceled, none"));
  EXPECT_TRUE(service.requests().list().empty());
}

TEST_P(AsyncClientInProcess, RefusesNewCallsWhenFull) {
  AsyncClient async{options(), {.maxInFlight = 1, .maxWaiting = 1}};
  for (int i = 0; i < 3; ++i)
    retrieve(async, insertRecord());
  async.run();
  EXPECT_THAT(log, ElementsAre("queue full, none", "success", "success"));
  retrieve(async, insertRecord());
  async.run();
  EXPECT_EQ(log.back(), "success");
}

TEST_P(AsyncClientInProcess, WaitsForRoomWhenFull) {
  AsyncClient async{options(), {.maxInFlight = 1, .maxWaiting = 1, .whenFull = WhenFull::wait}};
  for (int i = 0; i < 5; ++i)
    retrieve(async, insertRecord());
  EXPECT_THAT(log, SizeIs(3)) << "starting the others has carried out these";
  async.run();
  EXPECT_THAT(log, SizeIs(5));
  EXPECT_THAT(log, Each("success"));
}

TEST_P(AsyncClientInProcess, WaitsWhenFullUntilAnotherThreadMakesRoom) {
  AsyncClient async{options(), {.maxInFlight = 1, .maxWaiting = 1, .whenFull = WhenFull::wait}};
  service.clock()->freeze();
  async.sleepFor(1h).then([&](const Result<void>&) { log.emplace_back("last"); });
  std::atomic<bool> starting = false;
  std::jthread other;
  async.sleepFor(0s).then([&](const Result<void>&) {
    async.sleepFor(0s).then([](const Result<void>&) {});  // leaves no room, until its end
    other = std::jthread{[&] {
      starting = true;
      async.sleepFor(0s).then([&](const Result<void>&) { log.emplace_back("first"); });
      service.clock()->thaw();
    }};
    while (!starting)
      std::this_thread::yield();
  });
  async.run();
  EXPECT_THAT(log, ElementsAre("first", "last"));
}

TEST_P(AsyncClientInProcess, CompletesEachCallWhenDestroyedDuringAWaitForRoom) {
  std::weak_ptr<Observer> observer;
  auto async = std::make_unique<AsyncClient>(
      observedBy(observer), AsyncOptions{.maxInFlight = 1, .maxWaiting = 1, .whenFull = WhenFull::wait});
  {
    auto records = async->paymentRecords();
    for (int i = 0; i < 5; ++i)
      records.retrieve(insertRecord()).then([&](const Result<PaymentRecord>& result) {
        log.push_back(summaryOf(result));
        async.reset();
      });
  }
  EXPECT_THAT(log,
              ElementsAre("success", "canceled, none", "canceled, none", "canceled, none", "canceled, none"));
  EXPECT_TRUE(observer.expired()) << "a call keeps the client's state";
}

template <class T>
test::Suspended awaitCall(Call<T> call, std::coroutine_handle<>& own) {
  co_await test::OwnHandle{own};
  (void)co_await call;
  ADD_FAILURE() << "it goes on";
}

TEST_P(AsyncClientInProcess, CancelsACallWhoseCoroutineIsDestroyedWhileItWaitsForRoom) {
  AsyncClient async{options(), {.maxInFlight = 1, .maxWaiting = 0, .whenFull = WhenFull::wait}};
  const auto destroyDuring = [&](auto call) {
    std::coroutine_handle<> waiting;
    async.sleepFor(1s).then([&](const Result<void>&) {
      async.sleepFor(1s).then([](const Result<void>&) {});  // leaves no room
      waiting.destroy();
    });
    (void)awaitCall(std::move(call), waiting);
    async.run();
    EXPECT_EQ(async.counts().waiting, 0U);
  };
  destroyDuring(async.paymentRecords().retrieve(insertRecord()));
  destroyDuring(async.sleepFor(1s));
  EXPECT_TRUE(service.requests().list().empty());
}

TEST_P(AsyncClientInProcess, LetsHandlersStartCallsWhenFull) {
  AsyncClient async{options(), {.maxInFlight = 1, .maxWaiting = 0}};
  async.paymentRecords().retrieve(insertRecord()).then([&](const Result<PaymentRecord>&) {
    retrieve(async, insertRecord());
  });
  async.run();
  EXPECT_THAT(log, ElementsAre("success"));
}

TEST_P(AsyncClientInProcess, AcceptsTheLargestLimitsButNotAMaxInFlightOfZero) {
  AsyncClient async{options(), {.maxInFlight = SIZE_MAX, .maxWaiting = SIZE_MAX}};
  retrieve(async, insertRecord());
  async.run();
  EXPECT_THAT(log, ElementsAre("success"));
  EXPECT_THROW((AsyncClient{options(), {.maxInFlight = 0}}), std::invalid_argument);
}

class AsyncClientInItsOwnThread : public AsyncClientTest {};
INSTANTIATE_TEST_SUITE_P(, AsyncClientInItsOwnThread, testing::Values(true),
                         [](const auto&) { return std::string{"x"}; });

TEST_P(AsyncClientInItsOwnThread, LetsManyThreadsStartCallsAndWaitForRoom) {
  AsyncClient async{options(), {.maxInFlight = 2, .maxWaiting = 3, .whenFull = WhenFull::wait}};
  const std::string id = insertRecord();
  std::atomic<int> succeeded = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i)
          async.paymentRecords().retrieve(id).then(
              [&](const Result<PaymentRecord>& result) { succeeded += result ? 1 : 0; });
      });
  }
  async.run();
  EXPECT_EQ(succeeded, 200);
}

TEST_P(AsyncClientInProcess, CancelsItsCallsWhenAHandlerDestroysItDuringClose) {
  auto async = std::make_unique<AsyncClient>(options());
  async->sleepFor(1s).then([&](const Result<void>&) { async.reset(); });
  std::optional<ErrorKind> kind;
  async->sleepFor(1h).then([&](const Result<void>& result) { kind = result.error().kind(); });
  const Instant start = service.clock()->now();
  (void)async->close(24h);
  EXPECT_EQ(kind, ErrorKind::canceled);
  EXPECT_EQ(service.clock()->now() - start, 1s);
}

/// The errors of the events that end attempts and calls.
struct EndObserver final : Observer {
  void on(const Event& event) noexcept override {
    if (event.error != nullptr) ends.emplace_back(event.kind, event.error->kind(), event.error->effect());
  }
  std::vector<std::tuple<EventKind, ErrorKind, Effect>> ends{};
};

TEST_P(AsyncClientInProcess, ReportsToTheObserverThatClosingItCanceledAReport) {
  const auto observer = std::make_shared<EndObserver>();
  ClientOptions observed = options();
  observed.observer = observer;
  AsyncClient async{observed};
  service.durations().set("payment_records.report_failed", 1s);
  report(async, insertRecord());
  (void)async.close(200ms);
  EXPECT_THAT(log, ElementsAre("canceled, unknown"));
  EXPECT_THAT(observer->ends,
              ElementsAre(std::tuple{EventKind::attemptEnded, ErrorKind::canceled, Effect::unknown},
                          std::tuple{EventKind::callEnded, ErrorKind::canceled, Effect::unknown}));
}

TEST_P(AsyncClientInItsOwnThread, CanBeClosedByTwoThreads) {
  AsyncClient async{options()};
  async.sleepFor(1h).then([](const Result<void>&) {});
  const std::jthread other{[&] { (void)async.close(); }};
  (void)async.close();
}

TEST_P(AsyncClientInItsOwnThread, EndsACallWhoseTransportThrows) {
  AsyncClient async{options(), {.maxInFlight = 1}};
  const std::string id = insertRecord();
  transport->throws = true;
  retrieve(async, id);
  async.run();
  report(async, id);
  async.run();
  transport->throws = false;
  report(async, id);
  async.run();
  EXPECT_THAT(log, ElementsAre("exception, none", "exception, unknown", "success"));
}

/// The clock of the service, which fails on request.
class FailingClock final : public Clock {
 public:
  explicit FailingClock(std::shared_ptr<Clock> inner) : inner_(std::move(inner)) {}
  [[nodiscard]] Instant now() const override { return inner_->now(); }
  bool sleepUntil(Instant time, std::stop_token stop) override {
    check();
    return inner_->sleepUntil(time, std::move(stop));
  }
  bool waitUntil(Instant time, std::stop_token stop) override {
    check();
    return inner_->waitUntil(time, std::move(stop));
  }
  std::atomic<bool> fails = false;
  std::atomic<int> failures = 0;
  std::atomic<pid_t> failed = 0;  // the thread

 private:
  void check() {
    if (!fails) return;
    failed = gettid();
    ++failures;
    throw std::runtime_error{"no clock"};
  }

  std::shared_ptr<Clock> inner_;
};

bool isAsleep(pid_t thread) {
  std::ifstream file{"/proc/self/task/" + std::to_string(thread) + "/stat"};
  std::string stat;
  std::getline(file, stat);
  return stat.substr(stat.rfind(')') + 1).starts_with(" S");
}

/// Whether the thread waits without the clock. A busy one wakes between some of the looks, if a lock made it
/// sleep at all, and uses the clock again and again.
bool rests(const FailingClock& clock) {
  constexpr int mostFailures = 100;
  constexpr int enoughLooks = 1'000;
  for (int looks = 0; looks < enoughLooks && clock.failures < mostFailures;)
    looks = isAsleep(clock.failed) ? looks + 1 : 0;
  return clock.failures < mostFailures;
}

TEST_P(AsyncClientInItsOwnThread, EndsWaitingCallsWhenItsClockFails) {
  ClientOptions clocked = options();
  const auto clock = std::make_shared<FailingClock>(service.clock());
  clocked.clock = clock;
  AsyncClient async{std::move(clocked)};
  clock->fails = true;
  std::vector<std::string> ends;
  for (int i = 0; i < 2; ++i)
    async.sleepFor(1h).then([&](const Result<void>& result) { ends.push_back(result.error().toString()); });
  async.run();
  EXPECT_THAT(ends, SizeIs(2));
  EXPECT_THAT(ends, Each(testing::HasSubstr("no clock")));
  EXPECT_TRUE(rests(*clock)) << "the thread is busy";
  clock->fails = false;
  retrieve(async, insertRecord());
  async.run();
  EXPECT_THAT(log, ElementsAre("success"));
  clock->fails = true;
}

TEST_P(AsyncClientInItsOwnThread, CanBeDestroyedByAHandlerWhenItsClockFails) {
  ClientOptions clocked = options();
  const auto clock = std::make_shared<FailingClock>(service.clock());
  clocked.clock = clock;
  auto async = std::make_unique<AsyncClient>(std::move(clocked));
  clock->fails = true;
  std::promise<void> destroyed;
  async->sleepFor(1h).then([&](const Result<void>& result) {
    EXPECT_EQ(result.error().kind(), ErrorKind::exception);
    async.reset();
    destroyed.set_value();
  });
  destroyed.get_future().wait();
}

TEST_P(AsyncClientInItsOwnThread, EndsAWaitForRoomWhenDestroyed) {
  auto async = std::make_unique<AsyncClient>(
      options(), AsyncOptions{.maxInFlight = 1, .maxWaiting = 0, .whenFull = WhenFull::wait});
  auto records = async->paymentRecords();
  const std::string id = insertRecord();
  service.clock()->freeze();
  async->sleepFor(1h).then([](const Result<void>&) {});
  std::optional<ErrorKind> kind;
  std::jthread other{[&] {
    const auto result = records.retrieve(id).future().get();
    kind = result ? std::nullopt : std::optional{result.error().kind()};
  }};
  async.reset();
  other.join();
  EXPECT_EQ(kind, ErrorKind::canceled);
}

}  // namespace
}  // namespace tally::shutdownTest
