#pragma once

#include <string_view>

#include "schema/object_ref.h"
#include "tables/refusal.h"

namespace tally::fake::detail {

using tally::detail::ObjectRef;

/// Parses a JSON object into `params`. A `null` member counts as absent, except that it unsets metadata.
/// Absent members leave their fields unchanged. Ranges and the required fields of `params` itself are not
/// checked.
[[nodiscard]] Fault readJsonParams(std::string_view json, ObjectRef params);

}  // namespace tally::fake::detail
