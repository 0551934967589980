#include "outbox/simulation/limited_fleet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::test {
namespace {

TEST(LimitedFleet, UsesAtLeast99PercentOfTheLimitsOfADomain) {
  const LimitedFleetResult result = simulateLimitedFleet({.workers = 8, .domains = 1, .reports = 1'000});
  EXPECT_GE(result.use, 0.99) << result.toText();
  EXPECT_EQ(result.mostRefusals, 0U) << result.toText();
}

TEST(LimitedFleet, UsesAtLeast97PercentOfTheLimitsOfManyDomains) {
  const LimitedFleetResult result =
      simulateLimitedFleet({.workers = 2, .domains = 12, .reports = 300, .rate = 2});
  EXPECT_GE(result.use, 0.97) << result.toText();
  EXPECT_EQ(result.mostRefusals, 0U) << result.toText();
}

TEST(LimitedFleet, CausesAtMostOneRefusalPerTakeover) {
  const LimitedFleetResult result = simulateLimitedFleet({.workers = 3, .reports = 1'500, .kills = 2});
  EXPECT_EQ(result.claims, 3U);
  EXPECT_LE(result.mostRefusals, 2U) << result.toText();
}

}  // namespace
}  // namespace tally::test
