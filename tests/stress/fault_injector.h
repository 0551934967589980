#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/service.h>

#include "random_source.h"
#include "stop_tokens.h"
#include "world.h"

namespace tally::stress {

/// The errors and the faults that it arranges.
[[nodiscard]] const std::vector<std::string>& scriptedErrors();
[[nodiscard]] std::vector<std::string> scriptedFaults();

/// Everything that can go wrong, while others work: faults, locks, occupied places, callers that stop.
class FaultInjector {
 public:
  FaultInjector(World& world, StopTokens& stopTokens, std::uint64_t seed)
      : world_(world), stopTokens_(stopTokens), random_(seed) {}

  /// Does so many things, a while after each other, unless `over` before.
  void work(int times, const std::atomic<bool>& over);

 private:
  void doSomething();
  [[nodiscard]] fake::Script anyScript();
  void lockARecord();
  void occupyPlaces();

  World& world_;
  StopTokens& stopTokens_;
  RandomSource random_;
  fake::Held lock_{};    // until the next one
  fake::Held places_{};  // likewise
};

}  // namespace tally::stress
