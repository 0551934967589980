#pragma once

#include "load/document.h"

namespace tally::codegen::load {

/// Checks a document against documentShape: unknown keys, missing keys, wrong types.
void checkShape(const Document& document, Problems& problems);

}  // namespace tally::codegen::load
