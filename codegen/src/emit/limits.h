#pragma once

#include <vector>

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// Emits <tally/limits.h>: the limits, for both the client and the fake.
void emitLimits(const model::Description& description, Templates& templates, std::vector<File>& files);

}  // namespace tally::codegen::emit
