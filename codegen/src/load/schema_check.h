#pragma once

#include <string_view>

#include "load/document.h"

namespace tally::codegen::load {

/// Refuses the keys of a schema that mean nothing for its type. `place` is the key that the schema is the
/// value of, or among whose values it is.
void checkSchema(const Node& schema, std::string_view place, Problems& problems);

}  // namespace tally::codegen::load
