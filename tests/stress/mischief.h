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

/// The errors and the faults that it arranges.
[[nodiscard]] const std::vector<std::string>& injectedErrors();
[[nodiscard]] std::vector<std::string> injectedFaults();

/// Everything that can go wrong, while others work: faults, locks, occupied places, callers that stop.
class Mischief {
 public:
  Mischief(World& world, Stops& stops, std::uint64_t seed) : world_(world), stops_(stops), dice_(seed) {}

  /// Does so many things, a while after each other, unless `over` before.
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
