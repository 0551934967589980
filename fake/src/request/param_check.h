#pragma once

#include "tables/refusal.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

/// How to treat identifiers among the parameters. Those of a write must have the right prefix; in a read, a
/// malformed identifier merely matches nothing.
enum class Identifiers : std::uint8_t { checked, unchecked };

/// Checks parsed parameters: required fields are present and values are in range.
[[nodiscard]] Fault checkRead(ConstObjectRef params, Identifiers identifiers);

/// Checks that the values of an object are in range. Required fields may be missing.
[[nodiscard]] Fault checkValues(ConstObjectRef object);

/// Checks that the parameter object `name` was given all its required fields. `given` is a bit set of its
/// fields, needed because members that are not optionals always have a value.
[[nodiscard]] Fault checkComplete(const Struct& type, std::uint64_t given, std::string_view name);

}  // namespace tally::fake::detail
