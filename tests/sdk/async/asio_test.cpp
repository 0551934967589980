// Completion tokens, executors and cancellation slots of Boost.Asio.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <tally/asio.h>
#include <tally/fake/http_server.h>
#include <tally/fake/service.h>
#include <tally/observer.h>
#include <tally/tally.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using testing::ElementsAre;

const std::chrono::sys_seconds asioFailedAt{1'750'000'000s};

std::string outcomeOf(const Result<PaymentRecord>& result) {
  if (result) return "success";
  return std::string{toString(result.error().kind())} + ' ' + std::string{toString(result.error().effect())};
}

/// With the fake in the thread of the test.
class AsioCalls : public testing::Test {
 protected:
  /// Everything in one thread, as the documentation of operator() describes.
  void runAll() {
    asio::post(io, [this] { async.run(); });
    io.run();
    io.restart();
  }

  auto log() {
    return [this](const Result<PaymentRecord>& result) { outcomes.push_back(outcomeOf(result)); };
  }

  fake::Service service{};
  fake::Account account = service.addAccount();
  PaymentRecord record = service.insert<PaymentRecord>(account.sandboxKey);
  AsyncClient async{service.clientOptions(account.sandboxKey)};
  AsyncPaymentRecords records = async.paymentRecords();
  asio::io_context io{};
  asio::cancellation_signal signal{};
  std::vector<std::string> outcomes{};
};

TEST_F(AsioCalls, InvokeAMoveOnlyCallbackWithoutAnExecutor) {
  records.retrieve(record.id)([log = log(), moveOnly = std::make_unique<int>(1)](
                                  const Result<PaymentRecord>& result) { log(result); });
  async.run();
  EXPECT_THAT(outcomes, ElementsAre("success"));
}

TEST_F(AsioCalls, CanBeCanceledWhileTheyWaitForAPrefetchedPage) {
  (void)service.insert<PaymentRecord>(account.sandboxKey);
  auto pager = records.list({.limit = 1}).prefetch();
  async.sleepFor(0s).then([&](const Result<void>&) {
    const auto start = service.clock()->now();
    pager.nextPage()([&, start](const Result<std::optional<Page<PaymentRecord>>>& first) {
      ASSERT_TRUE(first);
      const auto arrived = service.clock()->now();
      EXPECT_LT(start, arrived);
      pager.nextPage()(asio::bind_cancellation_slot(
          signal.slot(), [&, arrived](const Result<std::optional<Page<PaymentRecord>>>& second) {
            outcomes.emplace_back(second ? "success" : toString(second.error().kind()));
            EXPECT_EQ(service.clock()->now(), arrived) << "not once the page has arrived";
          }));
      signal.emit(asio::cancellation_type::total);
    });
  });
  async.run();
  EXPECT_THAT(outcomes, ElementsAre("canceled"));
}

TEST_F(AsioCalls, CompleteOnTheExecutorOfTheHandler) {
  records.retrieve(record.id)(asio::bind_executor(
      io, [log = log(), moveOnly = std::make_unique<int>(1)](const Result<PaymentRecord>& result) {
        log(result);
      }));
  async.run();
  EXPECT_TRUE(outcomes.empty());
  io.run();
  EXPECT_THAT(outcomes, ElementsAre("success"));
}

TEST_F(AsioCalls, CountAsWorkForTheirExecutor) {
  records.retrieve(record.id)(asio::bind_executor(io, log()));
  EXPECT_EQ(io.poll(), 0U);
  EXPECT_FALSE(io.stopped());
  async.run();
  EXPECT_EQ(io.poll(), 1U);
  EXPECT_TRUE(io.stopped());
}

TEST_F(AsioCalls, CanCompleteAFuture) {
  auto future = records.retrieve(record.id)(asio::use_future);
  async.run();
  EXPECT_EQ(future.get().value(), record);
}

TEST_F(AsioCalls, StartOnlyWhenTheirDeferredOperationsAreInvoked) {
  auto deferred = records.retrieve(record.id)(asio::deferred);
  async.run();
  EXPECT_TRUE(service.requests().list().empty());
  deferred(log());
  EXPECT_THROW(deferred(log()), std::logic_error);
  async.run();
  EXPECT_THAT(outcomes, ElementsAre("success"));
}

TEST_F(AsioCalls, MayBeDetached) {
  records.reportFailed(record.id, {.failedAt = asioFailedAt})(asio::detached);
  async.run();
  EXPECT_EQ(service.requests().size(), 1U);
}

TEST_F(AsioCalls, CompleteWithATuple) {
  records.retrieve(record.id)(asio::as_tuple(
      [this](const std::tuple<Result<PaymentRecord>>& result) { log()(std::get<0>(result)); }));
  async.run();
  EXPECT_THAT(outcomes, ElementsAre("success"));
}

TEST_F(AsioCalls, CompleteInAStrandWrappedInAnAnyExecutor) {
  const asio::any_io_executor executor = asio::make_strand(asio::any_io_executor{io.get_executor()});
  records.retrieve(record.id)(asio::bind_executor(executor, log()));
  runAll();
  EXPECT_THAT(outcomes, ElementsAre("success"));
}

asio::awaitable<void> reportInAsio(AsyncPaymentRecords records, std::string id,
                                   std::vector<std::string>& outcomes) {
  outcomes.push_back(outcomeOf(co_await records.reportFailed(
      id, {.failedAt = asioFailedAt, .metadata = {{"order", "42"}}})(asio::use_awaitable)));
  const auto [read] = co_await records.retrieve(id)(asio::as_tuple(asio::use_awaitable));
  outcomes.push_back(read.value().metadata.at("order"));
}

TEST_F(AsioCalls, CanBeAwaitedInOneThread) {
  asio::co_spawn(io, reportInAsio(records, record.id.str(), outcomes), asio::detached);
  runAll();
  EXPECT_THAT(outcomes, ElementsAre("success", "42"));
}

TEST_F(AsioCalls, CompleteOnTheExecutorOfTheClient) {
  asio::thread_pool pool{1};
  std::thread::id thread;
  {
    AsyncClient pooled{service.clientOptions(account.sandboxKey),
                       {.executor = [&](Completion done) { asio::post(pool, std::move(done)); }}};
    pooled.paymentRecords().retrieve(record.id)(
        [&](const Result<PaymentRecord>&) { thread = std::this_thread::get_id(); });
    pooled.run();
    pool.join();
  }
  EXPECT_NE(thread, std::thread::id{});
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST_F(AsioCalls, LeakNothingWhenCompletedInAnotherThread) {
  std::weak_ptr<Observer> observer;
  int completed = 0;
  asio::thread_pool pool{1};
  {
    ClientOptions observed = service.clientOptions(account.sandboxKey);
    observed.observer = combineObservers({});
    observer = observed.observer;
    AsyncClient pooled{std::move(observed),
                       {.executor = [&](Completion done) { asio::post(pool, std::move(done)); }}};
    for (int round = 0; round < 3; ++round) {
      for (int n = 0; n < 200; ++n)
        pooled.paymentRecords().retrieve(record.id)([&](const Result<PaymentRecord>&) { ++completed; });
      pooled.run();
    }
  }
  pool.join();
  EXPECT_EQ(completed, 600);
  EXPECT_TRUE(observer.expired()) << "a call keeps the client's state";
}

TEST_F(AsioCalls, DoNotCompleteWhileStartingEvenIfTheClientIsClosed) {
  async.close();
  asio::post(io, [this] {
    records.retrieve(record.id)(asio::bind_executor(io, log()));
    EXPECT_TRUE(outcomes.empty());
  });
  io.run();
  EXPECT_THAT(outcomes, ElementsAre("canceled none"));
}

TEST_F(AsioCalls, CanBeCanceledBeforeTheirRequestsAreSent) {
  records.reportFailed(record.id,
                       {.failedAt = asioFailedAt})(asio::bind_cancellation_slot(signal.slot(), log()));
  signal.emit(asio::cancellation_type::total);
  async.run();
  EXPECT_THAT(outcomes, ElementsAre("canceled none"));
  EXPECT_TRUE(service.requests().list().empty());
}

TEST_F(AsioCalls, CanBeCanceledWhileTheyWaitForTheirTurn) {
  async.paymentRecords().reportFailed(record.id, {.failedAt = asioFailedAt})(asio::detached);
  records.reportFailed(record.id,
                       {.failedAt = asioFailedAt})(asio::bind_cancellation_slot(signal.slot(), log()));
  async.sleepFor(10ms).then([&](const Result<void>&) { signal.emit(asio::cancellation_type::partial); });
  async.run();
  EXPECT_THAT(outcomes, ElementsAre("canceled none"));
  EXPECT_EQ(service.requests().size(), 1U);
}

TEST_F(AsioCalls, HaveAnUnknownEffectWhenCanceledDuringAReport) {
  records.reportFailed(record.id,
                       {.failedAt = asioFailedAt})(asio::bind_cancellation_slot(signal.slot(), log()));
  async.sleepFor(10ms).then([&](const Result<void>&) { signal.emit(asio::cancellation_type::terminal); });
  async.run();
  EXPECT_THAT(outcomes, ElementsAre("canceled unknown"));
}

TEST_F(AsioCalls, HaveNoEffectWhenCanceledDuringARead) {
  records.retrieve(record.id)(asio::bind_cancellation_slot(signal.slot(), log()));
  async.sleepFor(10ms).then([&](const Result<void>&) { signal.emit(asio::cancellation_type::all); });
  async.run();
  EXPECT_THAT(outcomes, ElementsAre("canceled none"));
}

TEST_F(AsioCalls, CanBeCanceledBeforeTheyResolveAReport) {
  std::optional<ErrorKind> kind;
  const PaymentRecordReportFailedParams failed{.failedAt = asioFailedAt};
  records.resolveReport(record.id, failed)(asio::bind_cancellation_slot(
      signal.slot(),
      [&](const Result<ReportCheck<PaymentRecord>>& result) { kind = result.error().kind(); }));
  signal.emit(asio::cancellation_type::terminal);
  async.run();
  EXPECT_EQ(kind, ErrorKind::canceled);
  EXPECT_TRUE(service.requests().list().empty());
}

TEST_F(AsioCalls, IgnoreASignalAfterTheirCompletion) {
  records.retrieve(record.id)(asio::bind_cancellation_slot(signal.slot(), log()));
  records.retrieve(record.id)(asio::bind_executor(io, log()));
  async.run();
  signal.emit(asio::cancellation_type::terminal);
  io.run();
  EXPECT_THAT(outcomes, ElementsAre("success", "success"));
}

TEST_F(AsioCalls, ClearTheCancellationSlotOfAHandlerWithAnExecutor) {
  records.retrieve(record.id)(asio::bind_executor(io, asio::bind_cancellation_slot(signal.slot(), log())));
  EXPECT_TRUE(signal.slot().has_handler());
  runAll();
  EXPECT_FALSE(signal.slot().has_handler());
}

TEST_F(AsioCalls, AreCanceledWhenTheirExecutionContextIsDestroyed) {
  auto alive = std::make_shared<int>(1);
  const std::weak_ptr<int> handler = alive;
  {
    asio::io_context shorter;
    records.reportFailed(record.id, {.failedAt = asioFailedAt})(asio::bind_executor(
        shorter,
        [alive = std::move(alive), log = log()](const Result<PaymentRecord>& result) { log(result); }));
  }
  EXPECT_TRUE(handler.expired());
  async.run();
  EXPECT_TRUE(outcomes.empty());
  EXPECT_TRUE(service.requests().list().empty());
}

TEST_F(AsioCalls, EndWhenTheExecutionContextOfTheirCoroutineIsDestroyed) {
  {
    asio::io_context shorter;
    asio::co_spawn(shorter, reportInAsio(records, record.id.str(), outcomes), asio::detached);
    shorter.poll();
    EXPECT_EQ(async.counts().waiting, 1U);
  }
  async.run();
  EXPECT_TRUE(outcomes.empty());
  EXPECT_TRUE(service.requests().list().empty());
}

struct CountedWaiter final : detail::AsioWaiter {
  void shutDown() noexcept override { ++shutDowns; }

  int shutDowns = 0;
};

TEST(AsioWaiters, ShutDownOnlyCallsThatHaveNotBeenRemoved) {
  detail::AsioWaiters waiters;
  const auto removed = std::make_shared<CountedWaiter>();
  const auto waiting = std::make_shared<CountedWaiter>();
  detail::AsioWaiters::Place place{};
  ASSERT_TRUE(waiters.add(removed, place));
  ASSERT_TRUE(waiters.remove(place));
  waiters.delivered();
  ASSERT_TRUE(waiters.add(waiting, place));
  waiters.shutDown();
  EXPECT_EQ(removed->shutDowns, 0);
  EXPECT_EQ(waiting->shutDowns, 1);
  EXPECT_FALSE(waiters.remove(place));
}

/// Over HTTP, with the thread of the AsyncClient.
class AsioCallsOverHttp : public testing::Test {
 protected:
  fake::Service service{};
  fake::Account account = service.addAccount();
  fake::HttpServer server{service};
  std::string id = service.insert<PaymentRecord>(account.sandboxKey).id.str();
  AsyncClient async{ClientOptions{.apiKey = account.sandboxKey, .baseUrl = server.url()}};
  AsyncPaymentRecords records = async.paymentRecords();
};

TEST_F(AsioCallsOverHttp, CompleteInTheThreadOfTheirExecutor) {
  asio::io_context io;
  int ended = 0;
  for (int i = 0; i < 200; ++i)
    records.retrieve(id)(asio::bind_executor(
        io, [&, thread = std::this_thread::get_id()](const Result<PaymentRecord>& result) {
          EXPECT_TRUE(result || result.error().kind() == ErrorKind::rateLimited) << result.error();
          EXPECT_EQ(std::this_thread::get_id(), thread);
          ++ended;
        }));
  io.run();
  EXPECT_EQ(ended, 200);
}

TEST_F(AsioCallsOverHttp, CanBeAwaited) {
  asio::io_context io;
  std::vector<std::string> outcomes;
  asio::co_spawn(io, reportInAsio(records, id, outcomes), asio::detached);
  io.run();
  EXPECT_THAT(outcomes, ElementsAre("success", "42"));
}

/// Repeated, since the completions and the end of the execution context race.
TEST_F(AsioCallsOverHttp, EndWhenTheirExecutionContextIsDestroyed) {
  int ended = 0;
  for (int round = 0; round < 20; ++round) {
    asio::io_context io;
    for (int i = 0; i < 5; ++i)
      records.retrieve(id)(asio::bind_executor(io, [&](const Result<PaymentRecord>&) { ++ended; }));
    if (round % 2 == 0) io.run_one();
  }
  async.run();
  EXPECT_EQ(ended, 10);
}

}  // namespace
}  // namespace tally
