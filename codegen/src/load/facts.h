#pragma once

#include <vector>

#include "document.h"

namespace tally::codegen::load {

/// What says something of the service, by its Shape, and bears no provenance, nor stands in what does.
/// `document` matches documentShape.
[[nodiscard]] std::vector<Node> factsWithoutProvenance(const Document& document);

}  // namespace tally::codegen::load
