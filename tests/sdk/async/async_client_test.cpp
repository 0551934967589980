#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
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

namespace tally {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

const std::chrono::sys_seconds failedAt{1'750'000'000s};

class AsyncCalls : public testing::Test {
 protected:
  PaymentRecord insertRecord() { return service.insert<PaymentRecord>(account.sandboxKey); }

  ClientOptions options() { return service.clientOptions(account.sandboxKey); }

  fake::Service service{};
  fake::Account account = service.addAccount();
};

TEST_F(AsyncCalls, InvokeTheirHandlersOnlyWithinRun) {
  const PaymentRecord record = insertRecord();
  AsyncClient async{options()};
  std::optional<Result<PaymentRecord>> result;
  async.paymentRecords().retrieve(record.id).then(
      [&](Result<PaymentRecord> got) { result = std::move(got); });
  EXPECT_FALSE(result);
  async.run();
  ASSERT_TRUE(result);
  ASSERT_TRUE(*result) << result->error();
  EXPECT_EQ(result->value(), record);
}

TEST_F(AsyncCalls, CanCompleteAFuture) {
  const PaymentRecord record = insertRecord();
  AsyncClient async{options()};
  auto future = async.paymentRecords().reportFailed(record.id, {.failedAt = failedAt}).future();
  async.run();
  const auto result = future.get();
  ASSERT_TRUE(result) << result.error();
  EXPECT_EQ(result.value().amountFailed, record.amountRequested);
}

TEST_F(AsyncCalls, CanSendAnyKindOfReport) {
  AsyncClient async{options()};
  const auto records = async.paymentRecords();
  const auto outcomeOf = [&](std::future<Result<PaymentRecord>> sent) {
    async.run();
    const auto result = sent.get();
    return result ? "success" : std::string{toString(result.error().kind())} + ' ' + result.error().param();
  };
  const std::string id = insertRecord().id.str();
  Report report{.id = id, .outcome = "guaranteed", .time = failedAt, .metadata = {{"order", "42"}}};
  EXPECT_EQ(outcomeOf(records.report(report).future()), "success");
  EXPECT_EQ(service.objects().stateOf(account.sandboxKey, id), "guaranteed");
  const std::string other = insertRecord().id.str();
  const PaymentRecordReportCanceledParams canceled{.canceledAt = failedAt};
  EXPECT_EQ(outcomeOf(records.report(other, canceled).future()), "success");
  EXPECT_EQ(service.objects().stateOf(account.sandboxKey, other), "canceled");

  report.outcome = "lost";
  EXPECT_EQ(outcomeOf(records.report(report).future()), "invalid parameter outcome");
  report.id = "po_1";
  EXPECT_EQ(outcomeOf(records.report(report).future()), "invalid parameter id");
  EXPECT_EQ(service.requests().size(), 2U);
}

/// Makes a blocking call when the first request is sent.
class BlockingOnce final : public Observer {
 public:
  void on(const Event& event) noexcept override {
    if (event.kind == EventKind::attemptStarted && call) std::exchange(call, nullptr)();
  }
  std::function<void()> call{};
};

class BlockingCallInTheLoop : public AsyncCalls {
 protected:
  ClientOptions observed(std::shared_ptr<Pacer> pacer = nullptr) {
    ClientOptions made = options();
    made.observer = observer;
    made.pacer = std::move(pacer);
    return made;
  }
  void note(const Result<PaymentRecord>& result) {
    log.push_back(result ? "success" : std::string{toString(result.error().kind())});
  }

  std::shared_ptr<BlockingOnce> observer = std::make_shared<BlockingOnce>();
  std::vector<std::string> log{};
};

TEST_F(BlockingCallInTheLoop, FailsInsteadOfWaitingForItsTurn) {
  const Client client{observed()};
  AsyncClient async{client};
  const PaymentRecord record = insertRecord();
  observer->call = [&] {
    note(client.paymentRecords().retrieve(record.id));
    note(client.paymentRecords().reportFailed(record.id, {.failedAt = failedAt}));
    note(client.paymentRecords().reportFailed(insertRecord().id, {.failedAt = failedAt}));
  };
  async.paymentRecords()
      .reportFailed(record.id, {.failedAt = failedAt})
      .then([&](const Result<PaymentRecord>& result) { note(result); });
  async.run();
  EXPECT_THAT(log, ElementsAre("success", "queue full", "success", "success"));
  EXPECT_TRUE(client.paymentRecords().reportFailed(record.id, {.failedAt = failedAt}));
}

TEST_F(BlockingCallInTheLoop, FailsInsteadOfWaitingForThePacer) {
  const auto pacer =
      std::make_shared<Pacer>(PacerOptions{.limits = {{.limit = "global_concurrency", .value = 1}}});
  const Client client{observed(pacer)};
  AsyncClient async{client};
  const PaymentRecord record = insertRecord();
  observer->call = [&] { note(client.paymentRecords().retrieve(record.id)); };
  async.paymentRecords().retrieve(record.id).then([&](const Result<PaymentRecord>& result) { note(result); });
  async.run();
  EXPECT_THAT(log, ElementsAre("queue full", "success"));
  EXPECT_EQ(pacer->counts().waiting, 0U);
  EXPECT_TRUE(client.paymentRecords().retrieve(record.id));
}

Task<> reportAndRetrieve(AsyncClient& async, std::string id, std::vector<std::string>& log) {
  auto records = async.paymentRecords();
  const auto reported =
      co_await records.reportFailed(id, {.failedAt = failedAt, .metadata = {{"order", "42"}, {"till", "7"}}});
  log.push_back(reported ? "reported" : reported.error().toString());
  const auto read = co_await records.retrieve(id);
  log.push_back(read ? read.value().metadata.at("order") : read.error().toString());
}

TEST_F(AsyncCalls, CanBeAwaited) {
  const PaymentRecord record = insertRecord();
  AsyncClient async{options()};
  std::vector<std::string> log;
  spawn(reportAndRetrieve(async, record.id.str(), log));
  async.run();
  EXPECT_THAT(log, ElementsAre("reported", "42"));
}

TEST_F(AsyncCalls, RunConcurrentlyInVirtualTime) {
  const PaymentRecord record = insertRecord();
  AsyncClient async{options()};
  int ended = 0;
  for (int i = 0; i < 10; ++i)
    async.paymentRecords().retrieve(record.id).then(
        [&](const Result<PaymentRecord>& result) { ended += result ? 1 : 0; });
  const Instant start = service.clock()->now();
  async.run();
  EXPECT_EQ(ended, 10);
  EXPECT_EQ(service.clock()->now() - start, 50ms);
}

/// Sends in the calling thread, as those of users do.
class BlockingTransport final : public Transport {
 public:
  explicit BlockingTransport(fake::Service& service) : service_(service) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    timeLimits.push_back(limits.deadline - service_.clock()->now());
    return service_.transport()->send(request, limits);
  }
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

  std::vector<std::chrono::nanoseconds> timeLimits{};

 private:
  fake::Service& service_;
};

TEST_F(AsyncCalls, HaveTheWholeTimeoutWhenATransportSendsThemOneAtATime) {
  ClientOptions blocking = options();
  const auto transport = std::make_shared<BlockingTransport>(service);
  blocking.transport = transport;
  blocking.timeout = 120ms;
  AsyncClient async{blocking};
  for (int n = 0; n < 4; ++n)
    async.paymentRecords().retrieve(insertRecord().id).then([](const auto& got) { EXPECT_TRUE(got); });
  async.run();
  EXPECT_THAT(transport->timeLimits, ElementsAre(120ms, 120ms, 120ms, 120ms));
  EXPECT_EQ(async.counts().inFlight, 0U);
}

TEST_F(AsyncCalls, TakeTurnsOnOneObject) {
  const PaymentRecord record = insertRecord();
  AsyncClient async{options()};
  std::vector<std::chrono::nanoseconds> ended;
  const Instant start = service.clock()->now();
  for (int i = 0; i < 3; ++i)
    async.paymentRecords()
        .reportFailed(record.id, {.failedAt = failedAt})
        .then([&](const Result<PaymentRecord>& result) {
          EXPECT_TRUE(result) << result.error();
          ended.push_back(service.clock()->now() - start);
        });
  async.run();
  EXPECT_THAT(ended, ElementsAre(50ms, 100ms, 150ms));
}

TEST_F(AsyncCalls, RetryAfterALockTimeout) {
  const PaymentRecord record = insertRecord();
  ClientOptions retrying = options();
  retrying.maxNetworkRetries = 3;
  AsyncClient async{std::move(retrying)};
  const auto hold = service.holds().lockObject(account.sandboxKey, record.id.str(), 4s);
  auto future = async.paymentRecords().reportFailed(record.id, {.failedAt = failedAt}).future();
  async.run();
  const auto result = future.get();
  EXPECT_TRUE(result) << result.error();
  EXPECT_EQ(service.requests().size(), 2U);
}

TEST_F(AsyncCalls, CanResolveALostReport) {
  const PaymentRecord record = insertRecord();
  AsyncClient async{options()};
  service.faults().inject({.operation = "payment_records.report_failed", .fault = fake::Fault::reset});
  auto records = async.paymentRecords();
  auto lost = records.reportFailed(record.id, {.failedAt = failedAt}).future();
  async.run();
  ASSERT_EQ(lost.get().error().effect(), Effect::unknown);
  const PaymentRecordReportFailedParams failed{.failedAt = failedAt};
  auto resolved = records.resolveReport(record.id, failed).future();
  async.run();
  const auto check = resolved.get();
  ASSERT_TRUE(check.has_value()) << check.error();
  EXPECT_EQ(check.value().status, ReportStatus::applied);
  EXPECT_EQ(check.value().resends, 1);
}

TEST_F(AsyncCalls, CanListPages) {
  for (int i = 0; i < 25; ++i)
    insertRecord();
  AsyncClient async{options()};
  auto pager = async.paymentRecords().list({.limit = 10});
  std::size_t seen = 0;
  auto count = pager.forEach([&](PaymentRecord&) { return ++seen < 15; }).future();
  async.run();
  EXPECT_EQ(count.get().value(), 14U);
  auto rest = pager.nextPage().future();
  async.run();
  EXPECT_EQ(rest.get().value()->data.size(), 6U);
  auto last = pager.nextPage().future();
  async.run();
  EXPECT_EQ(last.get().value()->data.size(), 5U);
  auto none = pager.nextPage().future();
  async.run();
  EXPECT_EQ(none.get().value(), std::nullopt);
}

TEST_F(AsyncCalls, KeepTheirTurnsUntilTheServiceRespondsIfCanceledInFlight) {
  const PaymentRecord record = insertRecord();
  AsyncClient async{options()};
  auto records = async.paymentRecords();
  std::stop_source stop;
  std::vector<std::string> log;
  records.reportFailed(record.id, {.failedAt = failedAt}, {.stop = stop.get_token()})
      .then([&](const Result<PaymentRecord>& result) {
        log.push_back("first " + std::string{toString(result.error().kind())} + ' ' +
                      std::string{toString(result.error().effect())});
      });
  records.reportCanceled(record.id, {.canceledAt = failedAt}).then([&](const Result<PaymentRecord>& result) {
    log.emplace_back(result ? "second applied" : result.error().toString());
  });
  async.sleepFor(10ms).then([&](const Result<void>&) { stop.request_stop(); });
  async.run();
  EXPECT_THAT(log, ElementsAre("first canceled unknown", "second applied"));
  EXPECT_EQ(service.requests().size(), 2U);
  EXPECT_EQ(service.requests().list()[1].time - service.requests().list()[0].time, 50ms);
}

TEST_F(AsyncCalls, AreCanceledWhenTheClientIsDestroyed) {
  const PaymentRecord record = insertRecord();
  std::vector<std::string> log;
  {
    AsyncClient async{options()};
    async.paymentRecords().retrieve(record.id).then(
        [&](const Result<PaymentRecord>& result) { log.emplace_back(toString(result.error().kind())); });
  }
  EXPECT_THAT(log, ElementsAre("canceled"));
}

}  // namespace
}  // namespace tally
