#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/payment_records.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/limit_usage.h"
#include "fake/support/requests.h"

namespace tally::test {

namespace {

using fake::Hold;
using fake::PendingRequest;
using fake::ScheduledResult;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;

/// Requests that wait up to 3 s for the lock of an object, while only the test moves the clock.
class LockWait : public testing::Test {
 protected:
  LockWait() { clock->freeze(); }

  [[nodiscard]] HttpRequest report() const {
    return post(key, "/v1/payment_records/" + id + "/report_payment_attempt_failed", "failed_at=1");
  }
  [[nodiscard]] Hold lock(std::optional<milliseconds> duration = std::nullopt) {
    return service.holds().lockObject(key, id, duration);
  }
  [[nodiscard]] PendingRequest pending() { return std::get<PendingRequest>(service.begin(report())); }

  /// Moves the clock by each step, and lets the request continue after it, until it has its result.
  [[nodiscard]] std::string after(PendingRequest& waiting, const std::vector<milliseconds>& steps) {
    for (const milliseconds step : steps) {
      clock->advance(step);
      if (const auto timed = waiting.proceed()) return errorOf(std::get<HttpResponse>(timed->result));
    }
    return "none";
  }

  fake::Service service{};
  std::shared_ptr<fake::VirtualClock> clock = service.clock();
  fake::Account account = service.addAccount();
  std::string key = account.sandboxKey;
  std::string id = service.insert<PaymentRecord>(key).id.str();
};

TEST_F(LockWait, EndsAsIfTheClockMovedInSmallSteps) {
  struct Case {
    milliseconds locked{};
    std::vector<milliseconds> steps{};
    std::string expected{};
  };
  const std::vector<Case> cases{
      {seconds{4}, {seconds{10}}, "429 lock_timeout"},
      {seconds{4}, {seconds{3}, seconds{7}}, "429 lock_timeout"},
      {seconds{4}, {seconds{1}, milliseconds{2'500}, milliseconds{6'500}}, "429 lock_timeout"},
      {seconds{3}, {seconds{10}}, "200"},
      {seconds{3}, {seconds{3}, seconds{7}}, "200"},
      {seconds{2}, {seconds{1}, seconds{9}}, "200"},
  };
  for (const Case& one : cases) {
    const Hold held = lock(one.locked);
    PendingRequest waiting = pending();
    EXPECT_EQ(after(waiting, one.steps), one.expected)
        << one.locked.count() << " ms, " << one.steps.size() << " steps";
    clock->advance(seconds{1});
  }
}

TEST_F(LockWait, SucceedsIfTheLockWasReleasedInTime) {
  Hold held = lock();
  PendingRequest waiting = pending();
  clock->advance(seconds{2});
  held.release();
  EXPECT_EQ(after(waiting, {seconds{8}}), "200");
}

TEST_F(LockWait, TimesOutIfTheLockWasReleasedTooLate) {
  Hold held = lock();
  PendingRequest waiting = pending();
  clock->advance(seconds{4});
  held.release();
  EXPECT_EQ(after(waiting, {milliseconds{0}}), "429 lock_timeout");
}

TEST_F(LockWait, TimesOutIfAnotherLockFollows) {
  const Hold brief = lock(seconds{2});
  PendingRequest waiting = pending();
  clock->advance(seconds{1});
  const Hold longer = lock(seconds{7});
  EXPECT_EQ(after(waiting, {seconds{9}}), "429 lock_timeout");
}

TEST_F(LockWait, TimesOutForEachOfSeveralRequestsOnTheObject) {
  const Hold held = lock(seconds{4});
  PendingRequest first = pending();
  PendingRequest second = pending();
  clock->advance(seconds{10});
  EXPECT_EQ(after(second, {milliseconds{0}}), "429 lock_timeout");
  EXPECT_EQ(after(first, {milliseconds{0}}), "429 lock_timeout");
  EXPECT_TRUE(std::holds_alternative<ScheduledResult>(service.begin(report()))) << "the object is free";
}

TEST_F(LockWait, EndsUnprocessedIfTheCallerGivesUpBeforeTheLockEnds) {
  const Hold held = lock(milliseconds{2'500});
  std::optional<TransportResult> result;
  {
    const std::jthread caller{
        [&] { result = service.transport()->send(report(), {.deadline = clock->now() + seconds{2}}); }};
    clock->waitForSleepers(1);
    clock->advance(seconds{10});
  }
  ASSERT_TRUE(std::holds_alternative<TransportFailure>(*result));
  EXPECT_EQ(std::get<TransportFailure>(*result).kind, TransportFailure::Kind::timeout);
  EXPECT_EQ(service.objects().stateOf(key, id), "unreported");
}

/// Quantity updates of a subscription, which is locked. They count once they are made.
class WaitingChanges : public LockWait {
 protected:
  [[nodiscard]] HttpRequest update() const { return post(key, "/v1/subscriptions/sub_1", "quantity=5"); }
  [[nodiscard]] PendingRequest pendingUpdate() { return std::get<PendingRequest>(service.begin(update())); }
  [[nodiscard]] std::int64_t used(const fake::Service& of) const {
    return usageOf(of.usage().list(account), "quantity_updates", "", "sub_1").used;
  }

  const std::string subscription = service.insert(key, "subscription", R"({"id":"sub_1"})");
};

TEST_F(WaitingChanges, AreNotCountedInAFork) {
  EXPECT_EQ(service.handle(update()).status, 200);
  Hold held = service.holds().lockObject(key, "sub_1");
  PendingRequest first = pendingUpdate();
  PendingRequest second = pendingUpdate();
  EXPECT_EQ(used(service), 3);
  EXPECT_EQ(used(service.fork()), 1);
  const fake::Snapshot snapshot = service.snapshots().take();
  held.release();
  EXPECT_EQ(after(first, {milliseconds{0}}), "200");
  EXPECT_EQ(after(second, {milliseconds{50}}), "200");
  EXPECT_EQ(used(service), 3) << "its own requests continued";
  EXPECT_EQ(used(service.fork()), 3);
  service.snapshots().restore(snapshot);
  EXPECT_EQ(used(service), 1);
}

TEST_F(WaitingChanges, AreNotCountedOnceTheyTimeOut) {
  const Hold held = service.holds().lockObject(key, "sub_1");
  PendingRequest first = pendingUpdate();
  const PendingRequest second = pendingUpdate();
  EXPECT_EQ(after(first, {seconds{3}}), "429 lock_timeout");
  EXPECT_EQ(used(service), 1);
  EXPECT_EQ(used(service.fork()), 0);
}

/// Reports of one thread, without a queue in the client. Some wait for locks that the test holds.
class AsyncReports : public testing::Test {
 protected:
  static ClientOptions options(fake::Service& service, const std::string& key) {
    ClientOptions made = service.clientOptions(key);
    made.mutationQueue.enabled = false;
    return made;
  }
  void report(const std::string& id, const std::string& number) {
    async.paymentRecords()
        .reportFailed(id, {.failedAt = std::chrono::sys_seconds{}, .metadata = {{"n", number}}})
        .then([this, number](const Result<PaymentRecord>& result) {
          ended.push_back(result ? number : result.error().toString());
        });
  }
  template <class Action>
  void at(milliseconds time, Action action) {
    async.sleepUntil(begin + time).then([action](const Result<void>&) mutable { action(); });
  }
  std::string insert() { return service.insert<PaymentRecord>(key).id.str(); }

  fake::Service service{{.limits = false}};
  std::string key = service.addAccount().sandboxKey;
  Instant begin = service.clock()->now();
  AsyncClient async{options(service, key)};
  std::vector<std::string> ended{};
};

TEST_F(AsyncReports, ContinueInTheirOrderWhenALockIsReleased) {
  std::vector<std::string> others;
  std::vector<Hold> locks;
  for (int n = 0; n < 10; ++n)
    locks.push_back(service.holds().lockObject(key, others.emplace_back(insert())));
  const std::string id = insert();
  Hold lock = service.holds().lockObject(key, id);
  for (const std::string& other : others)
    report(other, "other");
  report(id, "0");
  at(milliseconds{50}, [&locks] { locks.clear(); });
  at(milliseconds{300}, [&] {
    for (const char* number : {"1", "2", "3", "4", "5"})
      report(id, number);
  });
  at(seconds{1}, [&lock] { lock.release(); });
  async.run();
  std::erase(ended, "other");
  EXPECT_THAT(ended, ElementsAre("0", "1", "2", "3", "4", "5"));
}

}  // namespace

}  // namespace tally::test
