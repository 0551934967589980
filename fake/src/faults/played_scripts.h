#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tally/clock.h>
#include <tally/fake/fault_script.h>

#include "faults/fault_rules.h"
#include "schema/limit_plan.h"

namespace tally::fake::detail {

/// The fault scripts that play. Their faults are rules like all others, each with its time; of their limits,
/// this knows which apply when. A copy plays on in the same way.
class PlayedScripts {
 public:
  /// A step, one for each repetition.
  struct Part {
    std::string what{};
    Instant from{};
    Instant until = Instant::max();
    std::uint64_t fault = 0;               // the id of its rule
    std::optional<LimitOverride> limit{};  // without a rule
  };
  struct Script {
    std::uint64_t id = 0;
    std::string name{};
    std::uint64_t seed = 0;
    Instant started{};
    std::vector<Part> parts{};  // in order of their beginnings
  };

  /// Adds the faults to `rules`. Throws std::invalid_argument, and adds nothing, if a step is invalid.
  std::uint64_t play(const FaultScript& script, FaultRules& rules, const tally::detail::LimitPlan& plan,
                     Instant now);

  /// Removes the script and its faults. Returns false if there is none with that id.
  bool stop(std::uint64_t id, FaultRules& rules);
  void clear(FaultRules& rules);

  /// When limitsAt() has to be asked again.
  [[nodiscard]] Instant limitsDue() const noexcept { return due_; }
  /// The limits that apply at that time, which never decreases.
  [[nodiscard]] std::vector<LimitOverride> limitsAt(Instant now);

  [[nodiscard]] std::vector<PlayedScript> list(const FaultRules& rules, Instant now) const;

  // For a service that is saved and continued.
  [[nodiscard]] const std::vector<Script>& scripts() const noexcept { return scripts_; }
  [[nodiscard]] std::uint64_t lastId() const noexcept { return lastId_; }
  /// Throws std::invalid_argument for what no service can have saved.
  void resume(Script script, const tally::detail::LimitPlan& plan);
  void continueAt(std::uint64_t lastId) noexcept { lastId_ = lastId; }

 private:
  std::uint64_t lastId_ = 0;
  std::vector<Script> scripts_{};
  Instant due_ = Instant::max();
};

}  // namespace tally::fake::detail
