#pragma once

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// Emits docs/assumptions.md.
void emitDocs(const model::Description& description, Templates& templates, std::vector<File>& files);

}  // namespace tally::codegen::emit
