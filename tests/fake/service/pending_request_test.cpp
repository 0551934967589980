#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <tally/fake/service.h>
#include <tally/payment_records.h>

#include <gtest/gtest.h>

#include "fake/support/requests.h"

namespace tally::test {

namespace {

using fake::PendingRequest;
using fake::ScheduledResult;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// Requests from a sender that does not block.
class PendingRequests : public testing::Test {
 protected:
  [[nodiscard]] std::variant<ScheduledResult, PendingRequest> begin(const std::string& to) {
    return service->begin(
        post(key, "/v1/payment_records/" + to + "/report_payment_attempt_failed", "failed_at=1"));
  }
  [[nodiscard]] PendingRequest pending() { return std::get<PendingRequest>(begin(id)); }
  [[nodiscard]] static std::string said(const ScheduledResult& timed) {
    return errorOf(std::get<HttpResponse>(timed.result));
  }
  [[nodiscard]] std::int64_t used(std::string_view limit, std::string_view of = {}) {
    return service->usage().of(key, limit, of).used;
  }
  [[nodiscard]] Instant now() const { return clock->now(); }

  std::optional<fake::Service> service{std::in_place};
  std::shared_ptr<fake::VirtualClock> clock = service->clock();
  std::string key = service->addAccount().sandboxKey;
  std::string id = service->insert<PaymentRecord>(key).id.str();
  Instant start = now();
};

TEST_F(PendingRequests, EndImmediatelyWhenTheObjectIsFree) {
  const auto begun = begin(id);
  EXPECT_EQ(said(std::get<ScheduledResult>(begun)), "200");
  EXPECT_EQ(std::get<ScheduledResult>(begun).due, start + milliseconds{50});
  EXPECT_EQ(now(), start);
}

TEST_F(PendingRequests, ReportTheEndOfTheLockWithoutAdvancingTheClock) {
  (void)begin(id);
  PendingRequest second = pending();
  EXPECT_EQ(second.lockedUntil(), start + milliseconds{50});
  EXPECT_FALSE(second.proceed());
  EXPECT_EQ(now(), start);
  clock->advance(milliseconds{50});
  const auto timed = second.proceed();
  ASSERT_TRUE(timed);
  EXPECT_EQ(said(*timed), "200");
  EXPECT_EQ(timed->due, start + milliseconds{100});
  EXPECT_EQ(service->requests().list().back().time, start);
  EXPECT_EQ(service->requests().list().back().respondedAt, start + milliseconds{100});
}

TEST_F(PendingRequests, CountOnlyOnceAgainstLimitsWhileTheyWait) {
  fake::Hold lock = service->holds().lockObject(key, id);
  PendingRequest waiting = pending();
  for (int n = 0; n < 3; ++n)
    EXPECT_FALSE(waiting.proceed());
  EXPECT_EQ(used("endpoint_rate", "payment_records.report_failed"), 1);
  EXPECT_EQ(used("global_concurrency"), 1);
  lock.release();
  EXPECT_EQ(said(waiting.proceed().value()), "200")
      << "earlier than announced, because the test released the lock";
  EXPECT_EQ(used("endpoint_rate", "payment_records.report_failed"), 1);
  EXPECT_EQ(service->requests().size(), 1U);
}

TEST_F(PendingRequests, TimeOutExactlyAfterTheLockWait) {
  const fake::Hold lock = service->holds().lockObject(key, id);
  PendingRequest waiting = pending();
  EXPECT_EQ(waiting.lockedUntil(), start + seconds{3});
  clock->advance(seconds{3} - std::chrono::nanoseconds{1});
  EXPECT_FALSE(waiting.proceed());
  clock->advance(std::chrono::nanoseconds{1});
  EXPECT_EQ(said(waiting.proceed().value()), "429 lock_timeout");
  EXPECT_EQ(service->requests().list().back().requestId, "");
}

TEST_F(PendingRequests, LockTheirObjectInTheOrderInWhichTheyContinue) {
  (void)begin(id);
  PendingRequest second = pending();
  PendingRequest third = pending();
  clock->advance(milliseconds{50});
  EXPECT_TRUE(third.proceed());
  EXPECT_FALSE(second.proceed());
  EXPECT_EQ(second.lockedUntil(), start + milliseconds{100});
}

TEST_F(PendingRequests, KeepTheirDurationWhileTheClockIsFrozen) {
  clock->freeze();
  EXPECT_EQ(std::get<ScheduledResult>(begin(id)).due, start + milliseconds{50});
  PendingRequest second = pending();
  EXPECT_EQ(second.lockedUntil(), start + milliseconds{50});
  EXPECT_EQ(used("global_concurrency"), 2);
  clock->advance(milliseconds{50});
  EXPECT_EQ(second.proceed().value().due, start + milliseconds{100});
  (void)service->handle(get(key, "/v1/payouts"));
  EXPECT_EQ(service->requests().list().back().respondedAt, now())
      << "the sender blocks, so nothing would advance the clock";
}

TEST_F(PendingRequests, AreAbandonedWhenDestroyed) {
  const fake::Hold lock = service->holds().lockObject(key, id);
  {
    const PendingRequest waiting = pending();
    EXPECT_EQ(used("global_concurrency"), 1);
    EXPECT_TRUE(service->requests().list().empty());
  }
  EXPECT_EQ(service->requests().list().back().status, 0);
  EXPECT_EQ(service->objects().stateOf(key, id), "unreported");
  EXPECT_EQ(service->requests().list().back().respondedAt, now());
  EXPECT_EQ(used("global_concurrency"), 0);
}

TEST_F(PendingRequests, AreAbandonedWhenReplacedByMoveAssignment) {
  const fake::Hold lock = service->holds().lockObject(key, id);
  PendingRequest waiting = pending();
  waiting = pending();
  ASSERT_EQ(service->requests().size(), 1U) << "the first one has ended";
  EXPECT_EQ(service->requests().list().back().status, 0);
}

TEST_F(PendingRequests, CannotContinueOnceTheyHaveEndedOrBeenMoved) {
  (void)begin(id);
  PendingRequest second = pending();
  PendingRequest moved = std::move(second);
  EXPECT_THROW((void)second.proceed(), std::logic_error);  // NOLINT(bugprone-use-after-move)
  clock->advance(milliseconds{50});
  EXPECT_TRUE(moved.proceed());
  EXPECT_THROW((void)moved.proceed(), std::logic_error);
  second = std::move(moved);
  EXPECT_EQ(service->requests().size(), 2U);
}

TEST_F(PendingRequests, CompleteAfterTheirServiceIsDestroyed) {
  (void)begin(id);
  PendingRequest second = pending();
  service.reset();
  clock->advance(milliseconds{50});
  EXPECT_EQ(said(second.proceed().value()), "200");
}

/// Hundreds of callers in one thread, each of which repeatedly reports on one of ten records. If it is
/// locked, the caller continues at the time when it is said to be free.
TEST(ManyCallers, CanRunInOneThread) {
  constexpr int callers = 300;
  constexpr int reportsOfEach = 3;
  constexpr std::size_t records = 10;
  fake::Service service{{.lockWait = std::chrono::hours{1}, .limits = false}};
  const std::string key = service.addAccount().sandboxKey;
  service.clock()->freeze();
  std::vector<std::string> ids;
  for (std::size_t n = 0; n < records; ++n)
    ids.push_back(service.insert<PaymentRecord>(key).id.str());

  struct Caller {
    int left = reportsOfEach;
    std::unique_ptr<PendingRequest> waiting{};
  };
  std::vector<Caller> all(callers);
  using Event = std::tuple<Instant, std::uint64_t, std::size_t>;  // time, number, caller
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  std::uint64_t made = 0;
  for (std::size_t n = 0; n < all.size(); ++n)
    events.emplace(service.clock()->now(), made++, n);

  int done = 0;
  while (!events.empty()) {
    const auto [time, number, n] = events.top();
    events.pop();
    service.clock()->advance(time - service.clock()->now());
    Caller& caller = all[n];
    std::optional<ScheduledResult> timed;
    if (caller.waiting) {
      timed = caller.waiting->proceed();
    } else {
      auto begun = service.begin(post(
          key, "/v1/payment_records/" + ids[n % records] + "/report_payment_attempt_failed", "failed_at=1"));
      if (auto* waits = std::get_if<PendingRequest>(&begun)) {
        caller.waiting = std::make_unique<PendingRequest>(std::move(*waits));
      } else {
        timed = std::get<ScheduledResult>(std::move(begun));
      }
    }
    if (!timed) {
      events.emplace(caller.waiting->lockedUntil(), made++, n);
      continue;
    }
    EXPECT_EQ(errorOf(std::get<HttpResponse>(timed->result)), "200");
    caller.waiting.reset();
    ++done;
    if (--caller.left > 0) events.emplace(timed->due, made++, n);
  }
  EXPECT_EQ(done, callers * reportsOfEach);
  const auto turns = callers * reportsOfEach / static_cast<int>(records);
  EXPECT_EQ(service.requests().list().back().respondedAt,
            fake::ServiceOptions{}.start + milliseconds{50} * turns)
      << "each turn was taken exactly once";
}

}  // namespace

}  // namespace tally::test
