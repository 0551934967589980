#pragma once

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// The client's tables and methods, a file for each unit that has structs.
void emitSources(const model::Description& description, Templates& templates, std::vector<File>& files);

}  // namespace tally::codegen::emit
