#include "least_lately.h"

#include <gtest/gtest.h>

namespace tally::detail {
namespace {

using namespace std::chrono_literals;

constexpr Instant start{1'000s};

TEST(LeastLately, KnowsNothingAtFirst) {
  EXPECT_EQ(LeastLately{}.value(), std::nullopt);
}

TEST(LeastLately, IsTheLeastOfTheLastMinute) {
  LeastLately least;
  least.add(50ms, start);
  least.add(20ms, start + 1s);
  least.add(70ms, start + 2s);
  EXPECT_EQ(least.value(), 20ms);
}

/// A way that has become longer is known to be so two minutes later.
TEST(LeastLately, ForgetsWhatIsLongAgo) {
  LeastLately least;
  least.add(20ms, start);
  least.add(90ms, start + 60s);
  EXPECT_EQ(least.value(), 20ms);
  least.add(80ms, start + 120s);
  EXPECT_EQ(least.value(), 80ms);
}

}  // namespace
}  // namespace tally::detail
