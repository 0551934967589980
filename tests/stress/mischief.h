#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/service.h>

#include "dice.h"
#include "stops.h"
#include "world.h"

namespace tally::stress {

/// The errors and faults that it injects.
[[nodiscard]] const std::vector<std::string>& injectedErrors();
[[nodiscard]] std::vector<std::string> injectedFaults();

/// Disturbs the other threads: faults, locks, occupied places, canceled calls.
class Mischief {
 public:
  Mischief(World& world, Stops& stops, std::uint64_t seed) : world_(world), stops_(stops), dice_(seed) {}

  /// Makes `times` disturbances, spread over time, unless `over` becomes true before.
  void work(int times, const std::atomic<bool>& over);

 private:
  void doSomething();
  [[nodiscard]] fake::FaultRule anyFaultRule();
  void lockARecord();
  void holdConcurrency();

  World& world_;
  Stops& stops_;
  Dice dice_;
  fake::Hold lock_{};    // until the next one
  fake::Hold places_{};  // likewise
};

}  // namespace tally::stress
