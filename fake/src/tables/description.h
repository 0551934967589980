#pragma once

#include <span>

#include <tally/limits.h>

#include "tables/rules.h"

namespace tally::fake::detail {

/// The tables of an API description; by default, the generated ones.
struct Description {
  std::span<const AnyOperation* const> operations = tally::detail::operations;
  std::span<const ErrorResponse* const> errors = errorResponses;
  std::span<const ResourceRules* const> resources = resourceRules;
  std::span<const Limit* const> limits = tally::limits::all;
  const ReadAllocation* readAllocation = &tally::limits::readAllocation;
};

}  // namespace tally::fake::detail
