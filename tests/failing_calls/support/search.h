#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "failing_calls/support/trial.h"

namespace tally::test {

/// How far a pass through all places of a scenario has come. It tries them in an order in which each has a
/// position of its own, so that a pass can be continued although threads vary the number of places.
constexpr std::uint32_t endOfPass = 1'000'000;

/// Which places of a scenario are tried. TALLY_FAILING_CALLS=PLACES,FROM replaces them by the next ones of a
/// pass.
struct Sample {
  std::size_t places = 40;  ///< At most; 0: all.
  std::uint64_t seed = 1;   ///< Selects them, evenly from all calls and ways to fail.
  std::vector<Call> leftOut{};
  std::optional<std::uint32_t> from{};  ///< The position from which a pass is continued.
};

/// What was found.
struct Tried {
  std::size_t places = 0;               ///< How many there are.
  std::size_t runs = 0;                 ///< How many of them were tried and reached.
  std::uint32_t next = endOfPass;       ///< From where the pass is to be continued.
  std::vector<std::string> problems{};  ///< Each with its place, its callers and how to replay it.
};

/// Runs the scenario once for each place of the sample, with calls of the threads on `side` failing.
[[nodiscard]] Tried tryPlaces(const Scenario& scenario, Side side, const Sample& sample = {});

/// The same as a test. TALLY_FAILING_CALL="PLACE…" tries these places only. TALLY_FAILING_CALLS_AT_ONCE is
/// the number of processes; without it, there are as many as processors.
void testFailingCalls(const Scenario& scenario, Side side = Side::client, Sample sample = {});

}  // namespace tally::test
