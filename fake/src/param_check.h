#pragma once

#include "refusal.h"
#include "schema.h"

namespace tally::fake::detail {

using tally::detail::Struct;

/// What is asked of the identifiers among the parameters. What a request would write must be an identifier
/// of the right kind; in one that only reads, what is not simply names nothing.
enum class Identifiers : std::uint8_t { checked, unchecked };

/// Whether `params`, as they were read, have all that is required, within its bounds.
[[nodiscard]] Fault checkRead(const Struct& type, const void* params, Identifiers identifiers);

}  // namespace tally::fake::detail
