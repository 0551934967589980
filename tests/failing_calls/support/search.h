#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "failing_calls/support/trial.h"

namespace tally::test {

/// Which places of a scenario are tried. TALLY_FAILING_CALLS=PLACES,SEED replaces them; `all` tries all.
struct Sample {
  std::size_t places = 40;  ///< At most; 0: all.
  std::uint64_t seed = 1;   ///< Selects them, evenly from all calls and ways to fail.
  std::vector<Call> leftOut{};
};

/// What was found.
struct Tried {
  std::size_t places = 0;               ///< How many there are.
  std::size_t runs = 0;                 ///< How many of them were tried and reached.
  std::vector<std::string> problems{};  ///< Each with its place, its callers and how to replay it.
};

/// Runs the scenario once for each place of the sample, with calls of the threads on `side` failing.
[[nodiscard]] Tried tryPlaces(const Scenario& scenario, Side side, const Sample& sample = {});

/// The same as a test. TALLY_FAILING_CALL=PLACE tries one place only.
void testFailingCalls(const Scenario& scenario, Side side = Side::client, Sample sample = {});

}  // namespace tally::test
