#pragma once

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// A struct with its members; constants are not members. `above` is true if the remarks don't fit behind the
/// members.
[[nodiscard]] Data structData(const model::Description& description, const model::Struct& type);

/// The types of a unit for its header and its tables, without its resource.
[[nodiscard]] Data unitData(const model::Description& description, const model::Unit& unit);

}  // namespace tally::codegen::emit
