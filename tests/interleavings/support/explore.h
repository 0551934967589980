#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace tally::test {

/// How many interleavings of a scenario are explored. TALLY_INTERLEAVINGS=PREEMPTIONS,SEEDS,FIRST replaces
/// the first three numbers, and takes ten times as many schedules.
struct Exploration {
  std::size_t preemptions = 1;        ///< Every schedule with up to this number of preemptions.
  std::size_t seeds = 300;            ///< How many schedules of each other policy.
  std::uint64_t firstSeed = 1;        ///< Of these.
  std::size_t maxSchedules = 20'000;  ///< Of the exhaustive search.
};

/// What was found.
struct Explored {
  std::size_t schedules = 0;
  bool isExhaustive = false;  ///< Whether these are all with that number of preemptions.
  std::string failure{};  ///< Empty: none; else what failed, the schedule that replays it, and its switches.
};

/// Runs the scenario under the schedules of all policies, until one fails. A failing schedule is reduced to
/// the switches that it needs.
[[nodiscard]] Explored explore(const std::function<void()>& scenario, const Exploration& exploration = {});

/// The same as a test. TALLY_SCHEDULE=TEXT replays one schedule only.
void testInterleavings(const std::function<void()>& scenario, Exploration exploration = {});

}  // namespace tally::test
