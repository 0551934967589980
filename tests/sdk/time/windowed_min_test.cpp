#include "time/windowed_min.h"

#include <gtest/gtest.h>

namespace tally::detail {
namespace {

using namespace std::chrono_literals;

constexpr Instant firstMinute{1'000s};

TEST(WindowedMin, IsEmptyAtFirst) {
  EXPECT_EQ(WindowedMin{}.value(), std::nullopt);
}

TEST(WindowedMin, IsTheMinimumOfTheLastMinute) {
  WindowedMin least;
  least.add(50ms, firstMinute);
  least.add(20ms, firstMinute + 1s);
  least.add(70ms, firstMinute + 2s);
  EXPECT_EQ(least.value(), 20ms);
}

TEST(WindowedMin, IsSettledASecondAfterTheFirstValue) {
  WindowedMin least;
  EXPECT_FALSE(least.isSettled(firstMinute));
  least.add(50ms, firstMinute);
  least.add(20ms, firstMinute + 500ms);
  EXPECT_FALSE(least.isSettled(firstMinute + 1s - 1ns));
  EXPECT_TRUE(least.isSettled(firstMinute + 1s));
}

/// An increased latency is recognized after two minutes.
TEST(WindowedMin, ForgetsValuesAfterTwoMinutes) {
  WindowedMin least;
  least.add(20ms, firstMinute);
  least.add(90ms, firstMinute + 60s);
  EXPECT_EQ(least.value(), 20ms);
  least.add(80ms, firstMinute + 120s);
  EXPECT_EQ(least.value(), 80ms);
}

}  // namespace
}  // namespace tally::detail
