#pragma once

#include <iosfwd>
#include <string>

#include <tally/outbox.h>

namespace tally::detail {

/// Enqueues the reports of a file, 1,000 in a transaction. Prints how many, or, on standard error, why it has
/// ended early and how to resume. Returns the exit status. Throws std::runtime_error if the file can't be
/// read.
[[nodiscard]] int enqueueFile(Outbox& outbox, const std::string& domain, std::istream& in,
                              const EnqueueOptions& options);

}  // namespace tally::detail
