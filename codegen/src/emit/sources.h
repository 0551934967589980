#pragma once

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// The tables of structs and operations that client and fake share, one file per unit with structs.
void emitSources(const model::Description& description, Templates& templates, std::vector<File>& files);

}  // namespace tally::codegen::emit
