#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>

#include <tally/fake/service.h>

#include "random_source.h"
#include "stop_tokens.h"
#include "world.h"

namespace tally::stress {

/// Disturbs the other threads: faults, locks, held concurrency, canceled calls.
class FaultInjector {
 public:
  FaultInjector(World& world, StopTokens& stopTokens, std::uint64_t seed)
      : world_(world), stopTokens_(stopTokens), random_(seed) {}

  /// Makes `times` disturbances, spread over time, unless `over` becomes true before.
  void work(int times, const std::atomic<bool>& over);

 private:
  void doSomething();
  void lockARecord();
  void holdConcurrency();

  World& world_;
  StopTokens& stopTokens_;
  RandomSource random_;
  fake::Hold lock_{};    // until the next one
  fake::Hold places_{};  // likewise
};

}  // namespace tally::stress
