#pragma once

#include "schema/schema.h"
#include "tables/refusal.h"

namespace tally::fake::detail {

using tally::detail::Struct;

/// What is asked of the identifiers among the parameters. What a request would write must be an identifier
/// of the right kind; in one that only reads, what is not simply names nothing.
enum class Identifiers : std::uint8_t { checked, unchecked };

/// Whether `params`, as they were read, have all that is required, within its bounds.
[[nodiscard]] Fault checkRead(const Struct& type, const void* params, Identifiers identifiers);

/// Whether what an object holds is within its bounds, whether or not all that is required is there.
[[nodiscard]] Fault checkValues(const Struct& type, const void* object);

/// Whether an object among the parameters, called `name`, was given all that is required of it; `given` has a
/// bit for each of its fields. The object itself can't tell where its members are no optionals.
[[nodiscard]] Fault checkComplete(const Struct& type, std::uint64_t given, std::string_view name);

}  // namespace tally::fake::detail
