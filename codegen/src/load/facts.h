#pragma once

#include <vector>

#include "load/document.h"

namespace tally::codegen::load {

/// The nodes that state facts about the service, according to their Shape, but have no provenance, neither
/// their own nor inherited. `document` matches documentShape.
[[nodiscard]] std::vector<Node> factsWithoutProvenance(const Document& document);

}  // namespace tally::codegen::load
