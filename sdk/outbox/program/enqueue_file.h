#pragma once

#include <iosfwd>

#include <tally/outbox.h>

#include "command_line.h"

namespace tally::detail {

/// Enqueues the reports of a file as the command line asks for, 1,000 in a transaction. Prints how many, or,
/// on standard error, why it has ended early and how to resume. Returns the exit status.
[[nodiscard]] int enqueueFile(Outbox& outbox, const CommandLine& line, std::istream& in);

}  // namespace tally::detail
