#pragma once

#include <chrono>
#include <vector>

#include <tally/fake/fault_script.h>

#include "derived/outcome.h"

namespace tally::fake::detail {

/// To three digits, as a person writes it.
[[nodiscard]] double rounded(double number);

/// Lets the responses of a rule take as long as these did: with the same median, the same 95th percentile if
/// there are enough of them, and the same maximum.
void setLatency(FaultRule& rule, std::vector<std::chrono::nanoseconds> durations);

/// How long the requests without a fault took, for each operation, in steps that begin where it changes. At
/// least one outcome, in the order of time.
[[nodiscard]] std::vector<ScriptStep> latencySteps(const std::vector<RecordedOutcome>& outcomes);

}  // namespace tally::fake::detail
