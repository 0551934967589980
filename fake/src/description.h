#pragma once

#include <span>

#include "rules.h"

namespace tally::fake::detail {

/// The tables of one API description; by default, those that were generated.
struct Description {
  std::span<const Operation* const> operations = tally::detail::operations;
  std::span<const ErrorAnswer* const> errors = errorAnswers;
  std::span<const ResourceRules* const> resources = resourceRules;
};

}  // namespace tally::fake::detail
