#include "bulk/limit_gate.h"

#include <chrono>
#include <cstdint>
#include <deque>

#include <gtest/gtest.h>

namespace tally::detail {
namespace {

using namespace std::chrono_literals;

class LimitGateTest : public testing::Test {
 protected:
  /// Lets a call begin that the service refuses `after` it began.
  void refuseOne(std::chrono::nanoseconds after = 10ms, bool concurrency = false) {
    const Instant begun = now;
    gate.begin(now);
    now += after;
    gate.end();
    gate.refuse({.begun = begun, .concurrency = concurrency, .jitter = 0.5}, now);
  }
  void passOne() {
    gate.begin(now);
    gate.end();
    gate.pass(now);
  }
  /// The time until the gate opens.
  [[nodiscard]] std::chrono::nanoseconds wait() const { return gate.opens(now) - now; }

  Backoff backoff{};
  LimitGate gate{backoff};
  Instant now = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
};

TEST_F(LimitGateTest, StaysOpenWithoutARefusal) {
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_TRUE(gate.isOpen(now));
    gate.begin(now);
  }
  EXPECT_EQ(gate.opens(now), now);
  EXPECT_EQ(gate.blockedSince(), std::nullopt);
}

TEST_F(LimitGateTest, OpensOnceAdmittedCallsLeaveTheWindow) {
  for (int i = 0; i < 25; ++i)
    passOne();
  refuseOne();
  EXPECT_FALSE(gate.isOpen(now));
  EXPECT_EQ(wait(), 1s - 10ms);
}

TEST_F(LimitGateTest, AdmitsCallsOneByOneAfterARefusal) {
  for (int i = 0; i < 25; ++i)
    passOne();
  refuseOne();
  now = gate.opens(now);
  passOne();
  EXPECT_FALSE(gate.isOpen(now));
  EXPECT_GT(wait(), 40ms) << "slower than before";
  EXPECT_LE(wait(), 50ms);
}

TEST_F(LimitGateTest, DoublesThePauseAfterEachRefusalUpToTheCap) {
  std::chrono::nanoseconds last = 1s;
  for (int i = 0; i < 3; ++i) {
    refuseOne();
    EXPECT_NEAR(static_cast<double>(wait().count()), 2.0 * static_cast<double>(last.count()), 2e6) << i;
    last = wait();
    now = gate.opens(now);
  }
  for (int i = 0; i < 20; ++i) {
    refuseOne();
    EXPECT_LE(wait(), backoff.cap * 1.01);
    now = gate.opens(now);
  }
}

TEST_F(LimitGateTest, TreatsRefusalsOfCallsStartedTogetherAsOne) {
  const Instant begun = now;
  for (int i = 0; i < 64; ++i)
    gate.begin(now);
  now += 10ms;
  for (int i = 0; i < 25; ++i) {
    gate.end();
    gate.pass(now);
  }
  for (int i = 0; i < 39; ++i) {
    gate.end();
    gate.refuse({.begun = begun}, now);
  }
  EXPECT_EQ(wait(), 1s) << "as after one";
}

TEST_F(LimitGateTest, RemembersWhenItWasFirstBlocked) {
  passOne();
  now += 1s;
  refuseOne(0ms);
  const Instant first = now;
  now += 5s;
  refuseOne(0ms);
  EXPECT_EQ(gate.blockedSince(), first);
  passOne();
  EXPECT_EQ(gate.blockedSince(), std::nullopt);
}

TEST_F(LimitGateTest, LimitsConcurrentCallsToTheNumberNotRefused) {
  const Instant begun = now;
  for (int i = 0; i < 10; ++i)
    gate.begin(now);
  passOne();
  for (int i = 0; i < 7; ++i) {
    gate.end();
    gate.refuse({.begun = begun, .concurrency = true}, now);
  }
  EXPECT_FALSE(gate.isOpen(now)) << "3 are in progress";
  EXPECT_EQ(wait(), 1s) << "one more each second";
  gate.end();
  gate.pass(now);
  EXPECT_TRUE(gate.isOpen(now));
}

TEST_F(LimitGateTest, BacksOffWhenOthersExhaustTheConcurrencyLimit) {
  refuseOne(10ms, true);
  EXPECT_GE(wait(), 1s);
  now = gate.opens(now);
  refuseOne(10ms, true);
  EXPECT_GE(wait(), 3s);
}

TEST_F(LimitGateTest, ObeysRetryAfter) {
  gate.begin(now);
  gate.end();
  gate.refuse({.begun = now, .retryAfter = 90s}, now);
  EXPECT_EQ(wait(), 90s);
}

TEST_F(LimitGateTest, ToleratesAClockThatMovesBackward) {
  passOne();
  now -= 1h;
  passOne();
  refuseOne();
  EXPECT_LE(wait(), 1h + 10s);
  gate.pass(now);
  EXPECT_EQ(gate.blockedSince(), std::nullopt);
}

TEST_F(LimitGateTest, ToleratesTheLongestPossibleBackoffCap) {
  backoff.cap = std::chrono::milliseconds::max();
  for (int i = 0; i < 200; ++i)
    refuseOne(1ns);
  EXPECT_GT(wait(), 1h);
}

/// A limit of a sliding window of one second, on calls that take 30 ms.
class GateAtALimit : public testing::TestWithParam<int> {};

TEST_P(GateAtALimit, UsesMostOfTheLimitWithFewRefusals) {
  const int limit = GetParam();
  const Backoff backoff{};
  LimitGate gate{backoff};
  Instant now = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
  const Instant end = now + 10min;
  SlidingWindow admitted{1s};
  struct InFlight {
    Instant begun{};
    bool refused = false;
  };
  std::deque<InFlight> inFlight;
  std::int64_t passed = 0;
  std::int64_t refused = 0;
  while (now < end) {
    while (!inFlight.empty() && inFlight.front().begun + 30ms <= now) {
      const InFlight call = inFlight.front();
      inFlight.pop_front();
      gate.end();
      if (call.refused) {
        ++refused;
        gate.refuse({.begun = call.begun, .jitter = 0.5}, now);
      } else {
        ++passed;
        gate.pass(now);
      }
    }
    while (inFlight.size() < 64 && gate.isOpen(now)) {
      gate.begin(now);
      const bool isRefused = admitted.count(now) >= limit;
      if (!isRefused) admitted.add(now);
      inFlight.push_back({now, isRefused});
    }
    const Instant opens = inFlight.size() < 64 ? gate.opens(now) : Instant::max();
    now = inFlight.empty() ? opens : std::min(opens, inFlight.front().begun + 30ms);
  }
  EXPECT_GE(static_cast<double>(passed), 0.8 * 600 * limit);
  EXPECT_LE(static_cast<double>(refused), 0.2 * static_cast<double>(passed) + 64);
}

INSTANTIATE_TEST_SUITE_P(PerSecond, GateAtALimit, testing::Values(1, 2, 5, 25, 100, 1'000));

}  // namespace
}  // namespace tally::detail
