#pragma once

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// The states and transitions of a resource, as a picture. A transition is an arrow; the reports that lead to
/// a state are in its box.
[[nodiscard]] Data stateDiagramData(const model::Resource& resource);

}  // namespace tally::codegen::emit
