#pragma once

#include "../load/references.h"
#include "description.h"

namespace tally::codegen::model {

/// Builds the limits of every file, and the read allocation. Operations and schemas must be complete.
void buildLimits(const load::Documents& documents, Description& description, Problems& problems);

}  // namespace tally::codegen::model
