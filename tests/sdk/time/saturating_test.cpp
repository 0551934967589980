#include "time/saturating.h"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace tally::detail {
namespace {

using namespace std::chrono_literals;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr Instant noon{1'000s};

TEST(SaturatingArithmetic, ClampsDurations) {
  EXPECT_EQ(saturatingNanoseconds(milliseconds::max()), nanoseconds::max());
  EXPECT_EQ(saturatingNanoseconds(milliseconds::min()), nanoseconds::min());
  EXPECT_EQ(saturatingNanoseconds(hours::max()), nanoseconds::max());
  EXPECT_EQ(saturatingNanoseconds(nanoseconds::max()), nanoseconds::max());
  EXPECT_EQ(saturatingNanoseconds(nanoseconds::min()), nanoseconds::min());
  EXPECT_EQ(saturatingNanoseconds(5ms), 5'000'000ns);
  EXPECT_EQ(saturatingNanoseconds(-5s), -5'000'000'000ns);
  constexpr milliseconds longest = std::chrono::duration_cast<milliseconds>(nanoseconds::max());
  EXPECT_EQ(saturatingNanoseconds(longest), nanoseconds{longest});
  EXPECT_EQ(saturatingNanoseconds(longest + 1ms), nanoseconds::max());
}

TEST(SaturatingArithmetic, ClampsFloatingPointSeconds) {
  using Seconds = std::chrono::duration<double>;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(saturatingNanoseconds(Seconds{infinity}), nanoseconds::max());
  EXPECT_EQ(saturatingNanoseconds(Seconds{-infinity}), nanoseconds::min());
  EXPECT_EQ(saturatingNanoseconds(Seconds{1e20}), nanoseconds::max());
  EXPECT_EQ(saturatingNanoseconds(Seconds{-1e20}), nanoseconds::min());
  EXPECT_EQ(saturatingNanoseconds(Seconds{nanoseconds::max()}), nanoseconds::max());
  EXPECT_EQ(saturatingNanoseconds(Seconds{nanoseconds::min()}), nanoseconds::min());
  EXPECT_EQ(saturatingNanoseconds(Seconds{std::numeric_limits<double>::quiet_NaN()}), 0ns);
  EXPECT_EQ(saturatingNanoseconds(Seconds{1.5e-9}), 2ns) << "rounded up";
  EXPECT_EQ(saturatingNanoseconds(Seconds{-2.5}), -2'500'000'000ns);
}

TEST(SaturatingArithmetic, ClampsSums) {
  EXPECT_EQ(saturatingAdd(1s, 2s), 3s);
  EXPECT_EQ(saturatingAdd(nanoseconds::max(), 1ns), nanoseconds::max());
  EXPECT_EQ(saturatingAdd(1ns, nanoseconds::max()), nanoseconds::max());
  EXPECT_EQ(saturatingAdd(nanoseconds::max() - 1ns, 1ns), nanoseconds::max());
  EXPECT_EQ(saturatingAdd(nanoseconds::min(), -1ns), nanoseconds::min());
  EXPECT_EQ(saturatingAdd(nanoseconds::min(), nanoseconds::max()), -1ns);
  EXPECT_EQ(saturatingAdd(noon, 5s), Instant{1'005s});
  EXPECT_EQ(saturatingAdd(noon, nanoseconds::max()), Instant::max());
  EXPECT_EQ(saturatingAdd(Instant::max(), 1h), Instant::max());
  EXPECT_EQ(saturatingAdd(Instant::min(), -1h), Instant::min());
}

TEST(SaturatingArithmetic, ClampsDifferences) {
  EXPECT_EQ(saturatingSince(noon, noon + 7s), 7s);
  EXPECT_EQ(saturatingSince(noon + 7s, noon), -7s);
  EXPECT_EQ(saturatingSince(noon, Instant::max()), Instant::max() - noon);
  EXPECT_EQ(saturatingSince(Instant{-1s}, Instant::max()), nanoseconds::max());
  EXPECT_EQ(saturatingSince(Instant::min(), noon), nanoseconds::max());
  EXPECT_EQ(saturatingSince(noon, Instant::min()), nanoseconds::min());
  EXPECT_EQ(saturatingSince(Instant::max(), Instant::min()), nanoseconds::min());
  EXPECT_EQ(saturatingSince(Instant::min(), Instant::min()), 0ns);
}

}  // namespace
}  // namespace tally::detail
