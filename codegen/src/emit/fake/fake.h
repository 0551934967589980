#pragma once

#include <vector>

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// Appends fake/generated: errors, conventions, and the rules of each resource.
void emitFake(const model::Description& description, Templates& templates, std::vector<File>& files);

}  // namespace tally::codegen::emit
