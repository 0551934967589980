#pragma once

#include <string>
#include <vector>

#include <tally/fake/fault_rule.h>

#include "random_source.h"

namespace tally::stress {

/// The errors and faults that it injects.
[[nodiscard]] const std::vector<std::string>& injectedErrors();
[[nodiscard]] std::vector<std::string> injectedFaults();

/// One of them, or a slow response, for a few requests.
[[nodiscard]] fake::FaultRule anyFaultRule(RandomSource& random);

}  // namespace tally::stress
