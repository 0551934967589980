#include "outbox/simulation/fleet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::test {
namespace {

constexpr std::uint64_t seedsOfTest = 250;

/// From a seed on. Some tests, so that they run in parallel.
class SimulatedFleets : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SimulatedFleets, SendEachReportOnceAndInOrderDespiteFaults) {
  std::size_t reports = 0;
  std::size_t disturbances = 0;
  std::size_t lockTimeouts = 0;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + seedsOfTest; ++seed) {
    const FleetResult result = simulateFleet(seed % 50 == 0 ? planOf(seed) : smallPlanOf(seed));
    ASSERT_EQ(result.violation, "");
    reports += result.reports;
    disturbances += result.disturbances;
    lockTimeouts += result.lockTimeouts;
  }
  EXPECT_GT(reports, 10 * seedsOfTest);
  EXPECT_GT(disturbances, seedsOfTest);
  EXPECT_GT(lockTimeouts, seedsOfTest / 10);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SimulatedFleets, testing::Values(1, 251, 501, 751));

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

TEST(BrokenFleet, IsDetectedIfItSendsBeforeTheIntentIsDurable) {
  EXPECT_THAT(violationWith({.written = [](detail::Batch& batch) { batch.intents.clear(); }}),
              testing::HasSubstr("is sent without a durable intent"));
}

TEST(BrokenFleet, IsDetectedIfASuccessorDoesNotResolveOpenIntents) {
  EXPECT_THAT(violationWith({.read = [](detail::Head& head) { head.mayHaveBeenSent = false; }}),
              testing::HasSubstr("took effect 2 times"));
}

}  // namespace
}  // namespace tally::test
