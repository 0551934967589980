#include "sdk/support/sharing.h"

#include <algorithm>
#include <string>

#include "bench/rows/rows.h"

namespace tally::bench {

namespace {

constexpr double steadyGoal = 0.95;
constexpr double changingGoal = 0.85;

/// The smaller use of a single endpoint's limit and of the account's.
Row rowOf(const std::string& demand, const test::ShareUse& endpoint, const test::ShareUse& account,
          double goal, bool refusalsAllowed) {
  const double use = std::min(endpoint.ofOneProcess, account.ofOneProcess);
  const auto refused = endpoint.refused + account.refused;
  return {.what = "share of 8 processes, " + demand + " demand",
          .figure = std::to_string(refused) + " refused",
          .reference = "one process",
          .ratio = fixed(use, 3),
          .goal = "≥ " + fixed(goal, 2) + (refusalsAllowed ? "" : ", 0 refused"),
          .met = use >= goal && (refusalsAllowed || refused == 0)};
}

}  // namespace

Row sharedSteadily() {
  return rowOf("steady", test::steadyUse(1), test::steadyUse(5), steadyGoal, false);
}

Row sharedChangingly() {
  return rowOf("changing", test::changingUse(1, 1), test::changingUse(5, 1), changingGoal, true);
}

}  // namespace tally::bench
