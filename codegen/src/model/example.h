#pragma once

#include "load/document.h"
#include "model/description.h"

namespace tally::codegen::model {

/// Checks an example object against its struct.
void checkExample(const load::Node& example, const Struct& type, Problems& problems);

/// Checks a value that is assigned to a field.
void checkConstant(const load::Node& constant, const Field& field, Problems& problems);

}  // namespace tally::codegen::model
