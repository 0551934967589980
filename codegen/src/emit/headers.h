#pragma once

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// The public headers: one per unit, the services, and the error codes.
void emitHeaders(const model::Description& description, Templates& templates, std::vector<File>& files);

}  // namespace tally::codegen::emit
