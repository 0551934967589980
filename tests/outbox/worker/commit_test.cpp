#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbox/without_limits.h"
#include "outbox/worker/domain_of_worker.h"

namespace tally::test {
namespace {

using testing::AllOf;
using testing::Gt;
using testing::Le;
using testing::Lt;

/// When a worker commits what it has learned, and what it is about to send.
class CommitTest : public DomainOfWorker {
 protected:
  static constexpr std::size_t reportCount = 300;
  static constexpr std::size_t inFlight = 8;

  CommitTest() {
    options_.maxInFlight = 64;
    domain_.pacing = withoutLimits();
    client_.emplace(detail::clientOf(domain_, options_, detail::pacerOf(domain_), lease_));
  }

  void enqueueOnNewObjects(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const PaymentRecord record = service_.insert<PaymentRecord>(key_);
      reports_.push_back(enqueueWithAttempt(record, std::to_string(i)));
    }
  }
  void keepSomeInFlight() {
    service_.durations().set("payment_records.report_failed", 3s);
    enqueueOnNewObjects(inFlight);
    begin();
    ASSERT_EQ(turn(0s), std::nullopt);
    ASSERT_EQ(withIntents().size(), inFlight);
    since_ = service_.clock()->now();
  }
  /// Requests take from 50 to 100 ms.
  void spreadResponses() {
    service_.faults().inject({.times = fake::FaultRule::unlimited, .latencyUpTo = 50ms});
  }

  [[nodiscard]] std::set<std::uint64_t> withIntents() const {
    std::set<std::uint64_t> found;
    const auto state = database_->backup();
    for (const std::uint64_t report : reports_)
      if (!state->reports().at(report).intents.empty()) found.insert(report);
    return found;
  }

  std::vector<std::uint64_t> reports_;
  Instant since_{};
};

TEST_F(CommitTest, IsSharedByReportsWhileManyAreInFlight) {
  enqueueOnNewObjects(reportCount);
  spreadResponses();
  EXPECT_EQ(work(), std::nullopt);
  EXPECT_EQ(effects().size(), reportCount);
  EXPECT_EQ(eventsOf(OutboxEvent::Kind::reportApplied), reportCount);
  EXPECT_THAT(writes_, Lt(reportCount / 2));  // each report needs an intent and an outcome
}

TEST_F(CommitTest, IsPutOffByMillisecondsAtMost) {
  keepSomeInFlight();
  enqueueOnNewObjects(1);
  waker_.wake();
  for (;;) {
    ASSERT_EQ(run_->round(stop_.get_token()), std::nullopt);
    if (withIntents().size() == inFlight + 1) break;
    run_->wait(since_ + 1s);
  }
  EXPECT_THAT(service_.clock()->now() - since_, AllOf(Gt(0ms), Le(10ms)));
}

TEST_F(CommitTest, IsMadeAtOnceForOneReport) {
  enqueueOnNewObjects(1);
  const Instant since = service_.clock()->now();
  begin();
  ASSERT_EQ(run_->round(stop_.get_token()), std::nullopt);
  EXPECT_EQ(withIntents().size(), 1U);
  EXPECT_EQ(service_.clock()->now(), since);
}

TEST_F(CommitTest, RecordsNoIntentOnceStopped) {
  keepSomeInFlight();
  enqueueOnNewObjects(1);
  waker_.wake();
  run_->wait(since_);
  ASSERT_EQ(run_->round(stop_.get_token()), std::nullopt);  // begins the report
  stop_.request_stop();
  std::optional<DomainRun::End> end;
  while (!end)
    end = turn();
  EXPECT_EQ(end, DomainRun::End::stopped);
  EXPECT_EQ(withIntents().size(), inFlight);
}

}  // namespace
}  // namespace tally::test
