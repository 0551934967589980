#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include <tally/fake/service.h>

#include "simulation/world.h"

namespace tally::simulation {

/// Disturbs everything, then ends all faults, and waits until everything is decided.
class Director {
 public:
  Director(World& world, const Plan& plan) : world_(world), plan_(plan) {}

  /// For a joined thread.
  void run();

 private:
  /// A link is cut or repaired.
  struct Turn {
    Instant time{};
    Link* link = nullptr;
    bool cuts = false;
  };

  void disturb();
  void injectFault();
  void lockObject();
  void holdConcurrency();
  void swizzle();
  void turnLinks();
  void calmDown();
  void awaitDecisions();
  [[nodiscard]] stress::RandomSource& random() { return world_.history().random(); }
  [[nodiscard]] Instant now() const { return world_.service().clock()->now(); }
  void pause(std::chrono::nanoseconds duration);

  World& world_;
  const Plan& plan_;
  std::vector<fake::Hold> holds_{};
  std::vector<Turn> turns_{};  // still to come, in chronological order
};

}  // namespace tally::simulation
