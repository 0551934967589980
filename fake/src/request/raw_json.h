#pragma once

#include <string>
#include <string_view>

#include "tables/refusal.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

/// Makes `text`, a JSON value of any structure, the value of the parameter or field `name`, as compact text.
/// Refuses it if it is not exactly one JSON value, is nested more than `deepestRawJson` levels deep, or has a
/// name twice.
[[nodiscard]] Fault putRawJson(RawJson& target, std::string_view text, const std::string& name);

/// Does that with every such value that an object has.
[[nodiscard]] Fault settleRawJson(ObjectRef object);

}  // namespace tally::fake::detail
