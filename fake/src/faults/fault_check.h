#pragma once

#include <tally/fake/fault_rule.h>

namespace tally::fake::detail {

/// Throws std::invalid_argument, with the problem and what to write instead, if the rule can never apply to
/// any request or has a value out of range. Does not look at the names of operations and errors.
void checkRule(const FaultRule& rule);

}  // namespace tally::fake::detail
