#pragma once

#include <vector>

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// Appends sdk/generated: headers, services and tables. The tables of a resource are separate from its
/// services, so that a program that links a table does not link the client.
void emitSdk(const model::Description& description, Templates& templates, std::vector<File>& files);

}  // namespace tally::codegen::emit
