#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "outbox/simulation/broken_store.h"

namespace tally::test {

/// A fleet of workers on a database in memory and the fake, in virtual time. All that happens follows from
/// the seed.
struct FleetPlan {
  std::uint64_t seed = 1;
  std::size_t workers = 8;
  std::size_t kills = 4;  // each killed worker is replaced
  std::size_t domains = 3;
  std::size_t objects = 3;  // of each domain
  std::chrono::seconds chaos{30};
  bool failsOver = false;  // to a server that lacks the last commits
  BrokenRules broken{};    // by the store of the workers
};

/// What became of a fleet.
struct FleetResult {
  std::size_t reports = 0;
  std::size_t disturbances = 0;
  std::size_t refusals = 0;  // by limits
  std::size_t lockTimeouts = 0;
  std::string history{};    // of everything that reached the service
  std::string violation{};  // empty if there is none; else with the history of one object
};

[[nodiscard]] FleetResult simulateFleet(const FleetPlan& plan);

/// The plan that follows from a seed.
[[nodiscard]] inline FleetPlan planOf(std::uint64_t seed) {
  return {.seed = seed, .failsOver = seed % 4 == 0};
}

/// A quick one: fewer workers for a shorter time, with a disturbance as often.
[[nodiscard]] inline FleetPlan smallPlanOf(std::uint64_t seed) {
  return {.seed = seed,
          .workers = 3,
          .kills = 1,
          .domains = 1,
          .objects = 2,
          .chaos = std::chrono::seconds{5},
          .failsOver = seed % 4 == 0};
}

}  // namespace tally::test
