// resolveReport() of an AsyncClient with a pacer, a share, a full queue and a retry policy, and its errors.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/memory_share.h>
#include <tally/pacer.h>
#include <tally/retry_policy.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::resolutionTest {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Check = Result<ReportCheck<PaymentRecord>>;

constexpr std::chrono::sys_seconds failedAt{1'750'000'000s};

/// A share whose exchanges can fail.
class FailingShare final : public PacerShare {
 public:
  std::string newProcess() override { return inner_.newProcess(); }
  ShareReply exchange(const ShareRequest& request) override {
    if (fails) throw std::runtime_error{"no route to the database"};
    return inner_.exchange(request);
  }
  bool fails = false;

 private:
  MemoryShare inner_{};
};

class AsyncResolution : public testing::Test {
 protected:
  ClientOptions options() {
    ClientOptions made = service.clientOptions(account.sandboxKey);
    made.pacer = pacer;
    return made;
  }
  Id<PaymentRecord> insertRecord() { return service.insert<PaymentRecord>(account.sandboxKey).id; }

  void resolve(const AsyncClient& async, const RequestOptions& how = {}) {
    async.paymentRecords().resolveReport(insertRecord(), params, {}, how).then([this](const Check& check) {
      ends.push_back(service.clock()->now());
      errors.push_back(check.has_value() ? "" : check.error().toString());
      if (!check.has_value()) effects.push_back(check.error().effect());
    });
  }

  /// A pacer whose process has the whole share.
  void share(PacerOptions of = {}) {
    of.share = process;
    pacer = std::make_shared<Pacer>(of);
    const Client client{options()};
    const Id<PaymentRecord> record = insertRecord();
    for (int exchange = 0; exchange < 40; ++exchange) {
      for (int call = 0; call < 2; ++call) {
        (void)client.paymentRecords().retrieve(record);
        (void)client.paymentRecords().reportFailed(record, {.failedAt = failedAt});
      }
      pacer->refreshShare(*service.clock());
    }
    service.clock()->advance(3s);
    pacer->refreshShare(*service.clock());
  }

  void expectNothingLeft() {
    EXPECT_EQ(pacer->counts().inFlight, 0U);
    EXPECT_EQ(pacer->counts().waiting, 0U);
    service.clock()->advance(72h);
    for (const PacerUsage& usage : pacer->usage(account.sandboxKey, service.clock()->now()))
      EXPECT_EQ(usage.used, 0) << usage;
  }

  fake::Service service{};
  fake::Account account = service.addAccount();
  std::shared_ptr<FailingShare> process = std::make_shared<FailingShare>();
  std::shared_ptr<Pacer> pacer = std::make_shared<Pacer>();
  const PaymentRecordReport params = PaymentRecordReportFailedParams{.failedAt = failedAt};
  std::vector<Instant> ends{};
  std::vector<std::string> errors{};
  std::vector<Effect> effects{};
};

TEST_F(AsyncResolution, KeepsTheUnitsOfAResendThatIsInFlightWhenItIsStopped) {
  (void)service.faults().inject({.operation = "payment_records.report_failed", .latency = 1s});
  AsyncClient async{options()};
  std::stop_source stop;
  resolve(async, {.stop = stop.get_token()});
  async.sleepFor(100ms).then([&](const Result<void>&) { stop.request_stop(); });
  async.sleepFor(200ms).then([&](const Result<void>&) { EXPECT_EQ(pacer->counts().inFlight, 1U); });
  async.run();
  EXPECT_THAT(errors, SizeIs(1));
  expectNothingLeft();
}

/// The read has asked for the units of the report, which then has to ask for them again.
TEST_F(AsyncResolution, EndsWhenTheShareEndsBetweenTheReadAndTheReport) {
  share();
  AsyncClient async{options()};
  const Instant end = pacer->shareState().heldUntil.value();
  async.sleepUntil(end - 20ms).then([&](const Result<void>&) {
    for (int i = 0; i < 3; ++i)
      resolve(async, {.totalTimeout = 60s});
  });
  async.run();
  EXPECT_THAT(errors, SizeIs(3));
  EXPECT_THAT(errors, Each(IsEmpty()));
  expectNothingLeft();
}

TEST_F(AsyncResolution, DoesNotWaitForTheUnitsOfItsOwnReport) {
  share({.shareLease = 5s});
  AsyncClient async{options()};
  const Instant end = pacer->shareState().heldUntil.value();
  process->fails = true;
  (void)service.faults().inject(
      {.operation = "payment_records.retrieve", .fault = fake::Fault::connectionRefused});
  async.sleepUntil(end - 100ms).then([&](const Result<void>&) { resolve(async, {.maxNetworkRetries = 2}); });
  async.run();
  EXPECT_THAT(errors, Each(IsEmpty()));
  ASSERT_THAT(ends, SizeIs(1));
  EXPECT_LT(ends.front(), end + 4s);
  expectNothingLeft();
}

TEST_F(AsyncResolution, EndsUnderASharedConcurrencyLimitOfOneRequest) {
  share({.limits = {{.limit = "global_concurrency", .value = 1}}});
  AsyncClient async{options()};
  for (int i = 0; i < 3; ++i)
    resolve(async, {.totalTimeout = 100s});
  async.run();
  EXPECT_THAT(errors, SizeIs(3));
  EXPECT_THAT(errors, Each(IsEmpty()));
  expectNothingLeft();
}

/// Retries after every failure that may be retried.
class Persistent final : public RetryPolicy {
 public:
  [[nodiscard]] std::optional<std::chrono::nanoseconds> waitBeforeRetry(
      const FailedAttempt& failed) const noexcept override {
    if (failed.attempt < 5 && failed.error.isRetryable()) return 1s;
    return std::nullopt;
  }
};

TEST_F(AsyncResolution, SendsNothingOutOfItsTurnEvenIfAPolicyRetries) {
  (void)service.faults().inject(
      {.operation = "payment_records.report_canceled", .fault = fake::Fault::connectionRefused});
  ClientOptions made = options();
  made.mutationQueue.maxWaiting = 0;
  made.retryPolicy = std::make_shared<Persistent>();
  AsyncClient async{made};
  const Id<PaymentRecord> id = insertRecord();
  async.paymentRecords()
      .reportCanceled(id, {.canceledAt = failedAt})
      .then([](const Result<PaymentRecord>& ended) { EXPECT_TRUE(ended); });
  std::optional<NoResendReason> reason;
  async.sleepFor(100ms).then([&](const Result<void>&) {
    async.paymentRecords().resolveReport(id, params).then([&](const Check& check) {
      ASSERT_TRUE(check.has_value()) << check.error();
      reason = check.value().noResendReason;
    });
  });
  async.run();
  EXPECT_EQ(reason, NoResendReason::failed);
  EXPECT_THAT(service.requests().matching({.operation = "payment_records.report_failed"}), IsEmpty());
}

TEST_F(AsyncResolution, EndsAtOnceWhenItIsStoppedWhileItWaitsToResend) {
  (void)service.faults().inject({.operation = "payment_records.report_failed", .error = "lock_timeout"});
  ClientOptions made = options();
  made.maxNetworkRetries = 1;
  made.backoff = {.initial = 60s, .cap = 60s};
  AsyncClient async{made};
  std::stop_source stop;
  resolve(async, {.stop = stop.get_token()});
  const Instant stopped = service.clock()->now() + 20s;
  async.sleepUntil(stopped).then([&](const Result<void>&) { stop.request_stop(); });
  async.run();
  EXPECT_THAT(ends, Each(stopped));
  EXPECT_THAT(errors, Each(HasSubstr("canceled")));
  EXPECT_THAT(effects, testing::ElementsAre(Effect::unknown));
  EXPECT_THAT(service.requests().matching({.operation = "payment_records.report_failed"}), SizeIs(1));
  expectNothingLeft();
}

TEST_F(AsyncResolution, LeavesTheEffectUnknownWhenItIsRefused) {
  AsyncClient async{options(), {.maxInFlight = 1, .maxWaiting = 0}};
  async.sleepFor(1s).then([](const Result<void>&) {});
  resolve(async);
  async.run();
  (void)async.close();
  resolve(async);
  EXPECT_THAT(errors, SizeIs(2));
  EXPECT_THAT(errors, Each(HasSubstr("payment_records.report_failed")));
  EXPECT_THAT(effects, Each(Effect::unknown));
}

TEST_F(AsyncResolution, LeavesTheEffectUnknownWhenAKeyProviderThrows) {
  ClientOptions made = options();
  made.apiKeyProvider = [key = made.apiKey, calls = 0]() mutable {
    if (++calls == 1) throw std::runtime_error{"no key"};
    return key;
  };
  made.apiKey = {};
  AsyncClient async{made};
  resolve(async);
  async.run();
  EXPECT_THAT(effects, SizeIs(1));
  EXPECT_THAT(effects, Each(Effect::unknown));
}

}  // namespace
}  // namespace tally::resolutionTest
