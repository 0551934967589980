#pragma once

#include <span>
#include <string>

namespace tally::fake::detail {

/// `tally-fake fault-script`: prints a ready-made script, or one derived from a recording. Returns the exit
/// status.
[[nodiscard]] int runFaultScript(std::span<const std::string> arguments);

}  // namespace tally::fake::detail
