#include "loop/closing.h"

#include <chrono>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally::detail {
namespace {

using namespace std::chrono_literals;

struct ClosingTest : testing::Test {
  test::TestClock clock{};
  EventLoop loop{clock, makeClockSource(clock)};
  int cancels = 0;
  Closing closing{[this] { ++cancels; }};
};

Error errorWith(ErrorKind kind, Effect effect) {
  return Error{{.kind = kind, .effect = effect, .message = "no"}};
}

TEST_F(ClosingTest, BeginsOnlyOnce) {
  EXPECT_FALSE(closing.hasBegun());
  EXPECT_TRUE(closing.begin());
  EXPECT_TRUE(closing.hasBegun());
  EXPECT_FALSE(closing.begin());
}

TEST_F(ClosingTest, CancelsAtTheDeadline) {
  closing.cancelAt(loop, clock.now() + 5s);
  loop.poll();  // takes the deadline
  EXPECT_EQ(cancels, 0);
  EXPECT_FALSE(closing.cancels());
  loop.poll();  // waits until then
  EXPECT_EQ(clock.sleeps, (std::vector<std::chrono::nanoseconds>{5s}));
  EXPECT_EQ(cancels, 1);
  EXPECT_TRUE(closing.cancels());
}

TEST_F(ClosingTest, CancelsInTheFirstTurnIfTheDeadlineHasPassed) {
  closing.cancelAt(loop, Instant::min());
  loop.poll();
  EXPECT_EQ(cancels, 1);
  EXPECT_TRUE(clock.sleeps.empty());
}

TEST_F(ClosingTest, CancelsOnlyOnce) {
  closing.cancelNow();
  EXPECT_EQ(cancels, 1);
  closing.cancelAt(loop, Instant::min());
  loop.poll();
  EXPECT_EQ(cancels, 1);
}

TEST_F(ClosingTest, CountsOutcomesOnlyAfterItHasBegun) {
  closing.add({.completed = 1});
  (void)closing.begin();
  closing.add({.completed = 1});
  closing.add({.unsent = 1});
  closing.add({.unsent = 1});
  closing.add({.unknown = 1});
  EXPECT_EQ(closing.result().completed, 1U);
  EXPECT_EQ(closing.result().unsent, 2U);
  EXPECT_EQ(closing.result().unknown, 1U);
}

TEST(ClosingOutcome, DistinguishesUnsentFromUnknownOnlyForCanceledCalls) {
  EXPECT_EQ(outcomeOf(nullptr).completed, 1U);
  const Error failed = errorWith(ErrorKind::connection, Effect::unknown);
  EXPECT_EQ(outcomeOf(&failed).completed, 1U);
  const Error unsent = errorWith(ErrorKind::canceled, Effect::none);
  EXPECT_EQ(outcomeOf(&unsent).unsent, 1U);
  EXPECT_EQ(outcomeOf(&unsent).completed, 0U);
  const Error unknown = errorWith(ErrorKind::canceled, Effect::unknown);
  EXPECT_EQ(outcomeOf(&unknown).unknown, 1U);
  EXPECT_EQ(outcomeOf(&unknown).unsent, 0U);
}

}  // namespace
}  // namespace tally::detail
