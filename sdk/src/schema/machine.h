#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tally::detail {

struct Operation;

/// The field at `target` is set to, or must equal, the field at `source` or, if that is empty, the JSON
/// `constant`. Fields are named by path, such as `amount_failed.value`.
struct Assignment {
  std::string_view target{};
  std::string_view source{};
  std::string_view constant{};
};

/// `trigger` takes an object from any state in `before`, one bit per state, to `after`.
struct Transition {
  const Operation* trigger = nullptr;
  std::uint32_t before = 0;
  std::uint8_t after = 0;
};

/// The states of a resource's objects, as far as needed to tell from an object what became of a report.
/// Transitions not listed are refused.
struct Machine {
  std::string_view of{};                // the field that identifies what the states belong to
  const Operation* retrieve = nullptr;  // reads an object
  std::span<const std::span<const Assignment>> shows{};  // for each state, what its objects show
  std::span<const Transition> transitions{};
};

}  // namespace tally::detail
