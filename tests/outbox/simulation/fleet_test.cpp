#include "outbox/simulation/fleet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::test {
namespace {

TEST(SimulatedFleet, LosesDoublesAndReordersNothingDespiteFaults) {
  std::size_t reports = 0;
  std::size_t disturbances = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const FleetResult result = simulateFleet(planOf(seed));
    ASSERT_EQ(result.violation, "");
    reports += result.reports;
    disturbances += result.disturbances;
  }
  EXPECT_GT(reports, 1'000U);
  EXPECT_GT(disturbances, 1'000U);
}

TEST(SimulatedFleet, IsReproducibleFromItsSeed) {
  const FleetResult first = simulateFleet(planOf(7));
  EXPECT_NE(first.history, "");
  EXPECT_EQ(simulateFleet(planOf(7)).history, first.history);
  EXPECT_NE(simulateFleet(planOf(11)).history, first.history);
}

/// The first violation among some seeds.
std::string violationWith(const BrokenRules& rules) {
  for (std::uint64_t seed = 1; seed <= 40; seed += 2) {
    FleetPlan plan = planOf(seed);
    plan.broken = rules;
    if (auto violation = simulateFleet(plan).violation; !violation.empty()) return violation;
  }
  return {};
}

TEST(BrokenFleet, IsFoundWhenItSendsBeforeTheIntentIsDurable) {
  EXPECT_THAT(violationWith({.written = [](detail::Batch& batch) { batch.intents.clear(); }}),
              testing::HasSubstr("is sent without a durable intent"));
}

TEST(BrokenFleet, IsFoundWhenASuccessorDoesNotResolveOpenIntents) {
  EXPECT_THAT(violationWith({.read = [](detail::Head& head) { head.mayHaveBeenSent = false; }}),
              testing::HasSubstr("took effect 2 times"));
}

}  // namespace
}  // namespace tally::test
