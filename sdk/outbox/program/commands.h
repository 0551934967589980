#pragma once

#include "command_line.h"

namespace tally::detail {

/// Carries out a command other than `work` and `help`. Returns the exit status. Throws OutboxError,
/// std::invalid_argument for arguments, and std::runtime_error for files.
[[nodiscard]] int carryOut(const CommandLine& line);

}  // namespace tally::detail
