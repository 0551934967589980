#pragma once

#include <cstdint>
#include <vector>

#include "tables/assignments.h"
#include "tables/rules.h"

namespace tally::fake::detail {

/// What one operation does to an object in one of some states.
struct Move {
  const Operation* trigger = nullptr;
  std::uint32_t before = 0;  // a bit for each state
  std::uint8_t after = 0;
  const ErrorAnswer* refusal = nullptr;  // then the object stays as it is
  Assignments effects;
};

/// The states of a resource's objects and the moves between them.
class States {
 public:
  /// Throws std::logic_error where a trigger leaves open what it does in some state.
  explicit States(const ResourceRules& rules);

  /// Null where the operation moves no states.
  [[nodiscard]] const Move* find(const Operation& trigger, std::uint8_t state) const;

 private:
  void checkComplete(const ResourceRules& rules) const;

  std::vector<Move> moves_{};
};

}  // namespace tally::fake::detail
