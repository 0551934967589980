#pragma once

#include <string>

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// The states and transitions of a resource as SVG. A transition is an arrow; the reports that lead to a
/// state are in its box.
[[nodiscard]] std::string stateDiagram(const model::Description& description, const model::Resource& resource,
                                       Templates& templates);

}  // namespace tally::codegen::emit
