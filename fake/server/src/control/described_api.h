#pragma once

#include <boost/json/value.hpp>

namespace tally::fake::detail {

// What the API description says, as JSON. Independent of accounts.

/// The states of each resource that has them, and what operations do in them.
[[nodiscard]] boost::json::value describeStateMachines();

/// The names that the control API takes: resources, operations, errors and limits.
[[nodiscard]] boost::json::value describeApi();

}  // namespace tally::fake::detail
