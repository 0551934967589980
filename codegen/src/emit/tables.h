#pragma once

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// The client's table of operations, the names of its headers, and the list of its sources.
void emitTables(const model::Description& description, Templates& templates, std::vector<File>& files);

}  // namespace tally::codegen::emit
