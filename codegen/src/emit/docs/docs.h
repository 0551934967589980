#pragma once

#include <vector>

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// Appends docs/assumptions.md, and docs/reference: the pages of operations, errors and limits, with a
/// diagram of each state machine.
void emitDocs(const model::Description& description, Templates& templates, std::vector<File>& files);

}  // namespace tally::codegen::emit
