#pragma once

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// The fake's tables: errors, conventions, and the rules of each resource.
void emitFakeTables(const model::Description& description, Templates& templates, std::vector<File>& files);

}  // namespace tally::codegen::emit
