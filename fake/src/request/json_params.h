#pragma once

#include <string_view>

#include "tables/refusal.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

/// Parses a JSON object into `params`. A `null` member counts as absent, except that it unsets metadata.
/// Absent members leave their fields unchanged. Ranges and the required fields of `params` itself are not
/// checked.
[[nodiscard]] Fault readJsonParams(std::string_view json, ObjectRef params);

}  // namespace tally::fake::detail
