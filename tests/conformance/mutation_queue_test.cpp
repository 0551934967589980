// Spec: "Errors", "Client handling of 429": "Queue mutations on the same object so that they run
// sequentially." The client does this automatically.

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include <tally/metrics_observer.h>

#include "conformance/support/conformance.h"

namespace tally::conformance {
namespace {

using namespace std::chrono_literals;

/// A record locked by another process, with a frozen clock: the first report waits at the service, and the
/// others wait in the client.
class MutationQueue : public Conformance {
 protected:
  MutationQueue() { service.clock()->freeze(); }

  Result<PaymentRecord> report(int number, const RequestOptions& options = {}) {
    return records.reportFailed(
        id, {.failedAt = reportTime, .metadata = {{"number", std::to_string(number)}}}, options);
  }

  /// Starts a call in a new thread, and returns once it waits.
  void begin(const std::function<void()>& call) {
    threads.emplace_back(call);
    service.clock()->waitForSleepers(threads.size());
  }
  void beginReport(int number) {
    begin([this, number] { EXPECT_TRUE(report(number)); });
  }
  void finish() {
    lock.release();
    threads.clear();
  }

  Id<PaymentRecord> id = insert().id;
  fake::Hold lock = service.holds().lockObject(key, id.str());
  std::vector<std::jthread> threads{};
};

TEST_F(MutationQueue, SendsOneCallAtATimePerObject) {
  beginReport(1);
  beginReport(2);
  beginReport(3);
  EXPECT_EQ(client.mutations().inProgress, 1U);
  EXPECT_EQ(client.mutations().waiting, 2U);
  EXPECT_EQ(service.usage().of(key, "endpoint_rate", "payment_records.report_failed").used, 1)
      << "the others have not been sent";
  finish();
  EXPECT_EQ(client.mutations().inProgress, 0U);
  EXPECT_EQ(service.usage().of(key, "endpoint_rate", "payment_records.report_failed").used, 3);
}

/// Each report adds a metadata key, so its response shows how many were applied before it.
TEST_F(MutationQueue, SendsCallsInTheOrderTheyWereMade) {
  const std::size_t before = records.retrieve(id).value().metadata.size();
  std::vector<std::size_t> positions(5);
  for (std::size_t n = 0; n < positions.size(); ++n)
    begin([&, n] {
      const auto record = records.reportFailed(
          id, {.failedAt = reportTime, .metadata = {{"number " + std::to_string(n), "is in"}}});
      positions[n] = record.value().metadata.size() - before;
    });
  finish();
  EXPECT_EQ(positions, (std::vector<std::size_t>{1, 2, 3, 4, 5}));
}

TEST_F(MutationQueue, DoesNotDelayReadsCreationsOrCallsOnOtherObjects) {
  beginReport(1);
  beginReport(2);
  const auto other = insert().id;
  EXPECT_TRUE(records.reportFailed(other, {.failedAt = reportTime})) << "another object";
  EXPECT_TRUE(records.retrieve(id)) << "a call that reads";
  EXPECT_TRUE(client.paymentIntents().create({.amount = 5, .currency = "eur"})) << "a call on no object yet";
  finish();
}

TEST_F(MutationQueue, ObeysTheDeadlineOfAWaitingCall) {
  beginReport(1);
  std::optional<Error> late;
  begin([&] { late = report(2, {.deadline = service.clock()->now() + 1s}).error(); });
  service.clock()->advance(1s);
  threads.pop_back();
  ASSERT_TRUE(late);
  EXPECT_EQ(late->kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(late->effect(), Effect::none);
  EXPECT_EQ(late->attemptCount(), 0);
  finish();
}

TEST_F(MutationQueue, ObeysTheStopTokenOfAWaitingCallAndContinuesWithTheNextCall) {
  beginReport(1);
  std::stop_source source;
  std::optional<Error> canceled;
  begin([&] { canceled = report(2, {.stop = source.get_token()}).error(); });
  beginReport(3);
  source.request_stop();
  threads[1].join();
  ASSERT_TRUE(canceled);
  EXPECT_EQ(canceled->kind(), ErrorKind::canceled);
  EXPECT_EQ(canceled->effect(), Effect::none);
  EXPECT_EQ(client.mutations().waiting, 1U);
  finish();
  EXPECT_EQ(records.retrieve(id).value().metadata.at("number"), "3");
}

TEST_F(MutationQueue, RefusesCallsOnceItIsFull) {
  ClientOptions options = service.clientOptions(key);
  options.mutationQueue.maxWaiting = 1;
  client = Client{options};
  records = client.paymentRecords();
  beginReport(1);
  beginReport(2);
  const Error full = report(3).error();
  EXPECT_EQ(full.kind(), ErrorKind::queueFull);
  EXPECT_EQ(full.effect(), Effect::none);
  EXPECT_EQ(full.attemptCount(), 0);
  finish();
}

TEST_F(MutationQueue, CanBeDisabled) {
  ClientOptions options = service.clientOptions(key);
  options.mutationQueue.enabled = false;
  client = Client{options};
  records = client.paymentRecords();
  beginReport(1);
  beginReport(2);
  EXPECT_EQ(client.mutations().waiting, 0U);
  EXPECT_EQ(service.usage().of(key, "endpoint_rate", "payment_records.report_failed").used, 2);
  finish();
}

TEST_F(MutationQueue, KeepsTheTurnOfACallThatIsRetried) {
  service.faults().inject({.error = "lock_timeout"});
  begin([this] { EXPECT_TRUE(report(1, {.maxNetworkRetries = 1})); });  // waits to be retried
  beginReport(2);
  EXPECT_EQ(client.mutations().waiting, 1U);
  lock.release();
  service.clock()->advance(1s);
  threads.clear();
  EXPECT_EQ(records.retrieve(id).value().metadata.at("number"), "2");
}

TEST_F(MutationQueue, ReportsWaitsToObservers) {
  const auto counters = std::make_shared<MetricsObserver>();
  ClientOptions options = service.clientOptions(key);
  options.observer = counters;
  client = Client{options};
  records = client.paymentRecords();
  beginReport(1);
  beginReport(2);
  service.clock()->advance(2s);
  finish();
  const std::string queue = R"({operation="payment_records.report_failed",reason="queue"} )";
  const std::string text = counters->prometheusText();
  EXPECT_NE(text.find("tally_waits_total" + queue + "1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("tally_waited_seconds_total" + queue + "2\n"), std::string::npos) << text;
}

TEST_F(MutationQueue, IsSharedByTheCopiesOfAClient) {
  const Client copy = client;
  beginReport(1);
  begin([&] { EXPECT_TRUE(copy.paymentRecords().reportFailed(id, {.failedAt = reportTime})); });
  EXPECT_EQ(client.mutations().waiting, 1U);
  finish();
}

/// Each request locks the object while it runs, and the service refuses requests for locked objects
/// immediately.
TEST(MutationQueueUnderLoad, PreventsLockTimeoutsAmongTheThreadsOfAClient) {
  Service service{{.lockWait = 0ns, .limits = false}};
  const std::string key = service.addAccount().sandboxKey;
  const auto id = service.insert<PaymentRecord>(key).id;
  const Client client{service.clientOptions(key)};
  std::vector<std::jthread> threads;
  for (int n = 0; n < 8; ++n)
    threads.emplace_back([&] {
      for (int i = 0; i < 40; ++i)
        EXPECT_TRUE(client.paymentRecords().reportFailed(id, {.failedAt = reportTime}));
    });
  threads.clear();
  EXPECT_EQ(service.requests().size(), 8U * 40U);
}

}  // namespace
}  // namespace tally::conformance
