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

/// The errors and faults that it injects.
[[nodiscard]] const std::vector<std::string>& injectedErrors();
[[nodiscard]] std::vector<std::string> injectedFaults();

/// Disturbs the other threads: faults, locks, held concurrency, canceled calls.
class FaultInjector {
 public:
  FaultInjector(World& world, StopTokens& stopTokens, std::uint64_t seed)
      : world_(world), stopTokens_(stopTokens), random_(seed) {}

  /// Makes `times` disturbances, spread over time, unless `over` becomes true before.
  void work(int times, const std::atomic<bool>& over);

 private:
  void doSomething();
  [[nodiscard]] fake::FaultRule anyFaultRule();
  void lockARecord();
  void holdConcurrency();

  World& world_;
  StopTokens& stopTokens_;
  RandomSource random_;
  fake::Hold lock_{};    // until the next one
  fake::Hold places_{};  // likewise
};

}  // namespace tally::stress
