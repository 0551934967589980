#pragma once

#include <string_view>

#include "schema/schema.h"
#include "tables/refusal.h"

namespace tally::fake::detail {

using tally::detail::Struct;

/// Reads a JSON object into `params`, whose fields are those of `type`. `null` is as good as not given. What
/// is not named stays as it is; nothing is said of what is missing or out of range.
[[nodiscard]] Fault readJsonParams(std::string_view json, const Struct& type, void* params);

}  // namespace tally::fake::detail
