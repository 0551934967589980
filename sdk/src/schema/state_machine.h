#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tally::detail {

struct AnyOperation;

/// The field at `target` is set to, or must equal, the field at `source` or, if that is empty, the JSON
/// `constant`. Fields are named by path, such as `amount_failed.value`.
struct Assignment {
  std::string_view target{};
  std::string_view source{};
  std::string_view constant{};
};

/// `trigger` takes an object from any state in `before`, one bit per state, to `after`.
struct Transition {
  const AnyOperation* trigger = nullptr;
  std::uint32_t before = 0;
  std::uint8_t after = 0;
  std::span<const Assignment> effects{};
};

/// In any state in `before`, one bit per state, `trigger` ends in `error` and changes nothing.
struct StateRefusal {
  const AnyOperation* trigger = nullptr;
  std::uint32_t before = 0;
  std::string_view error{};  // its name in the API description
};

/// The states of a resource's objects, and what reports do in them. The client uses it to find out what
/// became of a report, the fake to process reports.
struct StateMachine {
  std::string_view of{};                       // the field that identifies what the states belong to
  const AnyOperation* retrieve = nullptr;      // reads an object; null if nothing does
  std::span<const std::string_view> states{};  // their names
  std::uint8_t initial = 0;                    // the state of a new object
  std::span<const std::span<const Assignment>> shows{};  // for each state, what its objects show
  std::span<const Transition> transitions{};
  std::span<const StateRefusal> refusals{};  // of every trigger in the states without a transition
};

}  // namespace tally::detail
