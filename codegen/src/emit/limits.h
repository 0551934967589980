#pragma once

#include <vector>

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// <tally/limits.h>: the limits, for the client and the fake alike.
void emitLimits(const model::Description& description, Templates& templates, std::vector<File>& files);

}  // namespace tally::codegen::emit
