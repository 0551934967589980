#include "milliseconds.h"

#include <gtest/gtest.h>

namespace tally::detail {
namespace {

using namespace std::chrono_literals;
using std::chrono::hours;
using std::chrono::nanoseconds;
using Time = std::chrono::sys_time<nanoseconds>;

constexpr long longest = 2'147'483'647;

TEST(Milliseconds, AreRoundedUpAndNeverNone) {
  EXPECT_EQ(milliseconds(1ns), 1);
  EXPECT_EQ(milliseconds(2ms), 2);
  EXPECT_EQ(milliseconds(2ms + 1ns), 3);
  EXPECT_EQ(milliseconds(0s), 1);
  EXPECT_EQ(milliseconds(-5s), 1);
}

TEST(Milliseconds, OfTheLongestDurationsAreTheMost) {
  EXPECT_EQ(milliseconds(std::chrono::milliseconds{longest - 1}), longest - 1);
  EXPECT_EQ(milliseconds(std::chrono::milliseconds{longest} + 1ns), longest);
  EXPECT_EQ(milliseconds(nanoseconds::max()), longest);
  EXPECT_EQ(milliseconds(std::chrono::milliseconds::max()), longest);
  EXPECT_EQ(milliseconds(hours::max()), longest);
  EXPECT_EQ(milliseconds(hours::min()), 1);
}

TEST(TimeBetween, NeitherGoesBackNorBeyond) {
  EXPECT_EQ(timeBetween(Time{3s}, Time{5s}), 2s);
  EXPECT_EQ(timeBetween(Time{5s}, Time{3s}), 0s);
  EXPECT_EQ(timeBetween(Time{5s}, Time::min()), 0s);
  EXPECT_EQ(timeBetween(Time{-5s}, Time{5s}), 10s);
  EXPECT_EQ(timeBetween(Time{-5s}, Time::max()), nanoseconds::max());
  EXPECT_EQ(timeBetween(Time::min(), Time::max()), nanoseconds::max());
}

}  // namespace
}  // namespace tally::detail
