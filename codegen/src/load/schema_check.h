#pragma once

#include <string_view>

#include "load/document.h"

namespace tally::codegen::load {

/// Refuses the keys of a schema that have no meaning for its type. `place` is the key whose value is the
/// schema or contains it.
void checkSchema(const Node& schema, std::string_view place, Problems& problems);

}  // namespace tally::codegen::load
