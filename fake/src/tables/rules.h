#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "tables/schema_types.h"

// Tables that the generator writes for the fake only. The code that reads them names no resource.

namespace tally::fake::detail {

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

/// The error response with that name in the API description; null if it is unknown.
[[nodiscard]] inline const ErrorResponse* findError(std::span<const ErrorResponse* const> errors,
                                                    std::string_view name) {
  const auto found = std::ranges::find(errors, name, &ErrorResponse::name);
  return found == errors.end() ? nullptr : *found;
}

struct ResourceRules {
  const Resource* resource = nullptr;
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
