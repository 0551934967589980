#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "schema/operation.h"

// What the generator takes from the API description for the fake alone: tables, read by machinery that names
// no resource.

namespace tally::fake::detail {

using tally::detail::Assignment;
using tally::detail::Operation;
using tally::detail::Resource;

/// An error answer. In `message`, {param}, {value}, {resource} and {detail} are filled in.
struct ErrorAnswer {
  std::string_view name{};
  int status = 400;
  std::string_view type{};
  std::string_view code{};
  std::string_view message{};
  bool requestId = true;           // bears a Request-Id
  bool rateLimitedReason = false;  // bears a Service-Rate-Limited-Reason
};

/// Every error answer of the API description.
extern const std::span<const ErrorAnswer* const> errorAnswers;

/// What `trigger` does to an object in one of the states of `before`, a bit for each: it leads to the state
/// `after`, or is refused.
struct Transition {
  const Operation* trigger = nullptr;
  std::uint32_t before = 0;
  std::uint8_t after = 0;
  std::span<const Assignment> effects{};
  const ErrorAnswer* refusal = nullptr;
};

struct ResourceRules {
  const Resource* resource = nullptr;
  std::span<const std::string_view> states{};            // empty where objects have none
  std::span<const std::span<const Assignment>> shows{};  // for each state, what an object in it shows
  std::uint8_t initialState = 0;
  std::span<const Transition> transitions{};
  std::span<const Assignment> onCreate{};
  std::span<const std::string_view> freshIds{};  // the fields that get an identifier of their own on creation
  std::span<const std::string_view> searchable{};  // paths
  bool isTransaction = false;                      // each that is created is a transaction
  bool isAccount = false;                          // each that is created is a connected account
  std::string_view example{};                      // JSON of one object
};

/// One for each resource that has operations.
extern const std::span<const ResourceRules* const> resourceRules;

}  // namespace tally::fake::detail
