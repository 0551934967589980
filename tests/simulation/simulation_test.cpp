// Everything at once, for a few seeds; `./dev prove simulation` runs more seeds, and larger plans.

#include <cstdint>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulation/plan.h"

namespace tally::simulation {
namespace {

constexpr std::uint64_t seedsOfTest = 4;

/// Several seeds, from the parameter on. They are split into tests that can run in parallel.
class SimulatedSeeds : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SimulatedSeeds, ViolateNoRuleAndLeaveNothingUndecided) {
  for (std::uint64_t seed = GetParam(); seed < GetParam() + seedsOfTest; ++seed) {
    const Outcome outcome = simulate({.seed = seed});
    ASSERT_EQ(outcome.violation.rule, "")
        << outcome.violation.text << "\nnarrow it down with: simulation_runs --small --seeds " << seed << ".."
        << seed;
    EXPECT_GT(outcome.calls, 600U);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SimulatedSeeds, testing::Values(11, 101, 201));

TEST(Simulation, MakesEveryKindOfEventHappen) {
  std::map<std::string, std::size_t, std::less<>> counts;
  for (std::uint64_t seed = 1; seed <= 3 * seedsOfTest; ++seed) {
    const Outcome outcome = simulate({.seed = seed});
    EXPECT_EQ(outcome.violation.rule, "") << outcome.violation.text;
    for (const auto& [kind, count] : outcome.counts)
      counts[kind] += count;
  }
  for (const char* const kind : {"lost",
                                 "no connection",
                                 "connection broken",
                                 "response lost",
                                 "response cut",
                                 "gateway error",
                                 "orphaned",
                                 "service ended",
                                 "link cut",
                                 "job killed",
                                 "journal fails",
                                 "worker killed",
                                 "worker frozen",
                                 "database",
                                 "fault: response lost",
                                 "fault: connection refused",
                                 "fault: reset",
                                 "fault: truncated body",
                                 "fault: garbled body",
                                 "fault: empty page",
                                 "fault: error after processing",
                                 "error: lock_timeout",
                                 "error: api_error",
                                 "error: payment_attempt_already_guaranteed",
                                 "refused: endpoint_rate",
                                 "refused: global_rate",
                                 "refused: new_invoices_per_minute"})
    EXPECT_GT(counts[kind], 0U) << kind;
}

TEST(Simulation, HasTheSameHistoryForTheSameSeed) {
  const Outcome first = simulate({.seed = 7, .callers = 60});
  const Outcome second = simulate({.seed = 7, .callers = 60});
  EXPECT_EQ(first.hash, second.hash);
  EXPECT_EQ(first.steps, second.steps);
  EXPECT_NE(first.hash, simulate({.seed = 8, .callers = 60}).hash);
}

TEST(Simulation, HasTheSamePastAndAnotherFutureAfterAFork) {
  Plan plan{.seed = 7, .callers = 60};
  const std::uint64_t step = simulate(plan).steps / 2;
  plan.shown = {1, step};
  const Outcome whole = simulate(plan);
  plan.fork = Fork{.step = step, .seed = 99};
  const Outcome fork = simulate(plan);
  EXPECT_EQ(fork.shown, whole.shown);
  EXPECT_NE(fork.hash, whole.hash);
  EXPECT_EQ(fork.hash, simulate(plan).hash);
}

}  // namespace
}  // namespace tally::simulation
