#include "time/milliseconds.h"

#include <gtest/gtest.h>

namespace tally::detail {
namespace {

using namespace std::chrono_literals;
using std::chrono::hours;
using std::chrono::nanoseconds;

constexpr long longest = 2'147'483'647;

TEST(Milliseconds, AreRoundedUpAndNeverLessThanOne) {
  EXPECT_EQ(milliseconds(1ns), 1);
  EXPECT_EQ(milliseconds(2ms), 2);
  EXPECT_EQ(milliseconds(2ms + 1ns), 3);
  EXPECT_EQ(milliseconds(0s), 1);
  EXPECT_EQ(milliseconds(-5s), 1);
}

TEST(Milliseconds, AreCappedForTheLongestDurations) {
  EXPECT_EQ(milliseconds(std::chrono::milliseconds{longest - 1}), longest - 1);
  EXPECT_EQ(milliseconds(std::chrono::milliseconds{longest} + 1ns), longest);
  EXPECT_EQ(milliseconds(nanoseconds::max()), longest);
  EXPECT_EQ(milliseconds(std::chrono::milliseconds::max()), longest);
  EXPECT_EQ(milliseconds(hours::max()), longest);
  EXPECT_EQ(milliseconds(hours::min()), 1);
}

}  // namespace
}  // namespace tally::detail
