#pragma once

#include <string_view>

#include "schema/schema.h"
#include "tables/refusal.h"

namespace tally::fake::detail {

using tally::detail::Struct;

/// Parses a JSON object into `params`, an object of `type`. A `null` member counts as absent, except that it
/// unsets metadata. Absent members leave their fields unchanged. Ranges and the required fields of `type`
/// itself are not checked.
[[nodiscard]] Fault readJsonParams(std::string_view json, const Struct& type, void* params);

}  // namespace tally::fake::detail
