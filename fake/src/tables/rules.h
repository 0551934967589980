#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "schema/operation.h"

// Tables that the generator writes for the fake only. The code that reads them names no resource.

namespace tally::fake::detail {

using tally::detail::Assignment;
using tally::detail::Operation;
using tally::detail::Resource;

/// An error response. The placeholders {param}, {value}, {resource} and {detail} in `message` are filled in.
struct ErrorResponse {
  std::string_view name{};
  int status = 400;
  std::string_view type{};
  std::string_view code{};
  std::string_view message{};
  bool requestId = true;           // has a Request-Id header
  bool rateLimitedReason = false;  // has a Service-Rate-Limited-Reason header
};

/// Every error response of the API description.
extern const std::span<const ErrorResponse* const> errorResponses;

/// The effect of `trigger` on an object whose state is in the bit set `before`: it moves to the state
/// `after`, or the request is refused.
struct Transition {
  const Operation* trigger = nullptr;
  std::uint32_t before = 0;
  std::uint8_t after = 0;
  std::span<const Assignment> effects{};
  const ErrorResponse* refusal = nullptr;
};

struct ResourceRules {
  const Resource* resource = nullptr;
  std::span<const std::string_view> states{};            // empty if objects have no state
  std::span<const std::span<const Assignment>> shows{};  // by state: the fields that an object in it shows
  std::uint8_t initialState = 0;
  std::span<const Transition> transitions{};
  std::span<const Assignment> onCreate{};
  std::span<const std::string_view> freshIds{};    // fields that receive a new identifier on creation
  std::span<const std::string_view> searchable{};  // paths
  bool isTransaction = false;                      // creating an object counts as a transaction
  bool isAccount = false;                          // creating an object creates a connected account
  std::string_view example{};                      // an object, as JSON
};

/// One entry for each resource that has operations.
extern const std::span<const ResourceRules* const> resourceRules;

}  // namespace tally::fake::detail
