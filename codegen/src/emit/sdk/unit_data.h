#pragma once

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// The members of a struct; those that are constants have no member. `above` tells whether the remarks are
/// too long to stand behind the members of this struct, `argumentsAbove` behind its arguments.
[[nodiscard]] Data structData(const model::Description& description, const model::Struct& type);

/// The types of a unit for its header and its tables, without its resource.
[[nodiscard]] Data unitData(const model::Description& description, const model::Unit& unit);

}  // namespace tally::codegen::emit
