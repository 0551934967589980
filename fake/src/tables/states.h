#pragma once

#include <cstdint>
#include <vector>

#include "tables/assignments.h"
#include "tables/rules.h"

namespace tally::fake::detail {

/// The effect of an operation on an object in any of a set of states.
struct Move {
  const AnyOperation* trigger = nullptr;
  std::uint32_t before = 0;  // bit set of states
  std::uint8_t after = 0;
  const ErrorResponse* refusal = nullptr;  // if set, the object stays unchanged
  Assignments effects;
};

/// The state machine of a resource, with every name resolved.
class States {
 public:
  /// Throws std::logic_error if the effect of a trigger is undefined in some state, or an error unknown.
  explicit States(const Resource& resource);

  /// Empty if the resource's objects have no states.
  [[nodiscard]] const StateMachine& machine() const noexcept { return machine_; }

  /// Null if the operation is not a trigger.
  [[nodiscard]] const Move* find(const AnyOperation& trigger, std::uint8_t state) const;

 private:
  void checkComplete() const;

  const StateMachine& machine_;
  std::vector<Move> moves_{};
};

}  // namespace tally::fake::detail
