// Broken variants of the client, a worker, the service and the network each violate a rule, and the checker
// finds it.

#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulation/narrow.h"
#include "simulation/plan.h"

namespace tally::simulation {
namespace {

constexpr std::uint64_t mostSeeds = 20;

/// The violation by the first seed that violates a rule; empty if none does.
Violation violationWith(Plan plan, Broken broken) {
  plan.broken = broken;
  for (plan.seed = 1; plan.seed <= mostSeeds; ++plan.seed)
    if (Outcome outcome = simulate(plan); !outcome.violation.rule.empty()) return outcome.violation;
  return {};
}

/// Few callers for a long time, so that most of what happens concerns the outbox.
constexpr Plan outboxPlan{
    .callers = 4, .callsOfEach = 200, .time = std::chrono::seconds{300}, .rows = 10, .workers = 3};

TEST(BrokenClient, IsDetectedIfItResendsAChangeOfUnknownEffect) {
  EXPECT_EQ(violationWith({}, Broken::resendsUnclear).rule, "no change twice");
}

TEST(BrokenClient, IsDetectedIfItsQueueLetsTwoChangesToAnObjectThroughAtOnce) {
  EXPECT_EQ(violationWith({}, Broken::letsTwoThrough).rule, "one change at a time");
}

TEST(BrokenClient, IsDetectedIfItReportsNoEffectForARequestWhoseResponseIsLost) {
  EXPECT_THAT(violationWith({}, Broken::tellsNone).rule,
              testing::AnyOf("no change twice", "failure has no effect"));
}

TEST(BrokenClient, IsDetectedIfItsPacerExceedsTheLimits) {
  EXPECT_EQ(violationWith({}, Broken::pacerOveradmits).rule, "a pacer obeys the limits");
}

TEST(BrokenJournal, IsDetectedIfItForgetsOutcomes) {
  EXPECT_THAT(violationWith({}, Broken::journalForgets).rule,
              testing::AnyOf("no change twice", "in order", "reported once"));
}

TEST(BrokenWorker, IsDetectedIfItsWritesAreNotFenced) {
  EXPECT_THAT(violationWith(outboxPlan, Broken::takesOverUnfenced).rule,
              testing::AnyOf("no change twice", "in order", "failure has no effect"));
}

TEST(IntactWorker, ViolatesNoRule) {
  const Violation violation = simulate(outboxPlan).violation;
  EXPECT_EQ(violation.rule, "") << violation.text;
}

TEST(BrokenWorker, IsDetectedIfItDoesNotResolveWhatItsPredecessorSent) {
  EXPECT_THAT(violationWith(outboxPlan, Broken::resolvesNothing).rule,
              testing::AnyOf("no change twice", "in order"));
}

TEST(BrokenService, IsDetectedIfItAppliesAReportToAGuaranteedRecord) {
  EXPECT_EQ(violationWith({}, Broken::appliesAfterGuaranteed).rule, "the state machine");
}

TEST(BrokenService, IsDetectedIfItKeepsMetadataThatARequestUnsets) {
  EXPECT_THAT(violationWith({}, Broken::keepsUnsetMetadata).rule,
              testing::AnyOf("a response shows the change", "a read shows what is", "the store is true"));
}

TEST(BrokenService, IsDetectedIfItAdmitsMoreThanItsLimitsAllow) {
  EXPECT_EQ(violationWith({}, Broken::admitsTooMany).rule, "limits hold");
}

TEST(BrokenService, IsDetectedIfItSkipsObjectsBetweenPages) {
  EXPECT_EQ(violationWith({}, Broken::skipsInPages).rule, "lists are in order");
}

TEST(BrokenNetwork, IsDetectedIfALinkStaysCut) {
  EXPECT_EQ(violationWith({}, Broken::leavesLinkCut).rule, "liveness");
}

TEST(Narrowing, FindsTheStepAfterWhichAViolationIsCertain) {
  Plan plan{.callers = 8, .callsOfEach = 30, .rows = 60, .broken = Broken::journalForgets};
  while (plan.seed <= mostSeeds && simulate(plan).violation.rule.empty())
    ++plan.seed;
  const auto narrowed = narrow(plan, 3);
  ASSERT_TRUE(narrowed);
  EXPECT_LT(narrowed->step, narrowed->violatedAt);
  EXPECT_NE(narrowed->text, "") << narrowed->step;
}

TEST(Narrowing, FindsNothingIfNoRuleIsViolated) {
  EXPECT_FALSE(narrow({.callers = 8, .callsOfEach = 3}, 3));
}

}  // namespace
}  // namespace tally::simulation
