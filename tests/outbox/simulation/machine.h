#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include <tally/clock.h>
#include <tally/fake/virtual_clock.h>
#include <tally/stop_token.h>

namespace tally::test {

/// What the process of a worker runs on: it can be frozen, it can die, and its clock is wrong. For threads
/// that have joined the clock of the simulation.
class Machine {
 public:
  /// `over`: the simulation has ended.
  Machine(std::shared_ptr<fake::VirtualClock> time, StopToken over);

  /// A moment at which it can be frozen, or be dead: then this returns when the simulation is over.
  void pass();
  [[nodiscard]] bool isOver() const { return over_.stop_requested(); }
  [[nodiscard]] fake::VirtualClock& time() const { return *time_; }
  /// That of the process for which this thread works; null: none.
  [[nodiscard]] static Machine*& current() noexcept;
  /// As its clock shows the time. Keeps a reference to this.
  [[nodiscard]] std::shared_ptr<Clock> clock();

  bool isDead = false;
  std::optional<std::chrono::milliseconds> freeze{};  // from the next moment at which it can be
  std::chrono::nanoseconds skew{0};
  std::int64_t drift = 0;         // in millionths
  bool stopsWhileFrozen = false;  // its clock, as one that does not count suspensions

 private:
  std::shared_ptr<fake::VirtualClock> time_;
  StopToken over_;
};

}  // namespace tally::test
