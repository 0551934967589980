#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tally::detail {

struct Operation;

/// The field at `target` is what the field at `source` is, or, where that is empty, the JSON `constant`: it
/// is set to it, or it shows it. Fields are named by their path, as `amount_failed.value`.
struct Assignment {
  std::string_view target{};
  std::string_view source{};
  std::string_view constant{};
};

/// `trigger` leads an object from any of the states of `before`, a bit for each, to the state `after`.
struct Transition {
  const Operation* trigger = nullptr;
  std::uint32_t before = 0;
  std::uint8_t after = 0;
};

/// The states of a resource's objects, as far as they are needed to tell from an object what became of a
/// report. What no transition says is refused.
struct Machine {
  std::string_view of{};                                 // the field that names what the states belong to
  const Operation* retrieve = nullptr;                   // reads an object
  std::span<const std::span<const Assignment>> shows{};  // for each state, what an object in it shows
  std::span<const Transition> transitions{};
};

}  // namespace tally::detail
