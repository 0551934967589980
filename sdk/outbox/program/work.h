#pragma once

#include "command_line.h"

namespace tally::detail {

/// Sends until a signal. Throws OutboxError, std::invalid_argument for options, and std::runtime_error for
/// files and addresses.
void work(const CommandLine& line);

}  // namespace tally::detail
