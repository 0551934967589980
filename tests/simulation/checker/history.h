#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tally/fake/virtual_clock.h>
#include <tally/stop_token.h>

#include "simulation/plan.h"
#include "stress/random_source.h"

namespace tally::simulation {

/// Everything that happens, step by step, and the random choices behind it. For threads that have joined the
/// clock.
class History {
 public:
  History(const Plan& plan, fake::VirtualClock& clock);

  /// Something happens to `subject`. `describe` returns it as text; it is called only if the plan asks for
  /// it.
  template <std::invocable Describe>
  void step(std::string_view kind, std::uint64_t subject, const Describe& describe) {
    count(kind, subject);
    if (isShown()) show(kind, describe());
  }
  void step(std::string_view kind, std::uint64_t subject, std::string_view text) {
    step(kind, subject, [&] { return text; });
  }

  /// A rule is broken. Only the first time counts; it ends the simulation.
  void violate(std::string_view rule, const std::string& what, std::uint64_t change = 0);
  [[nodiscard]] bool isViolated() const { return !outcome_.violation.rule.empty(); }

  /// Whether the simulation has ended, because everything is decided, or because a rule is broken.
  [[nodiscard]] bool isOver() const { return over_.stop_requested(); }
  [[nodiscard]] StopToken over() const { return over_.get_token(); }
  void end() { over_.request_stop(); }

  [[nodiscard]] stress::RandomSource& random() { return random_; }
  [[nodiscard]] Outcome& outcome() { return outcome_; }

 private:
  void count(std::string_view kind, std::uint64_t subject);
  [[nodiscard]] bool isShown() const {
    return outcome_.steps >= plan_.shown.first && outcome_.steps <= plan_.shown.second;
  }
  void show(std::string_view kind, std::string_view text);
  void mix(std::uint64_t value);

  const Plan plan_;
  fake::VirtualClock& clock_;
  stress::RandomSource random_;
  StopSource over_{};
  Outcome outcome_{};
};

}  // namespace tally::simulation
