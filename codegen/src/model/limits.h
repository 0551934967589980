#pragma once

#include "../load/references.h"
#include "description.h"

namespace tally::codegen::model {

/// Makes the limits of every file, and the read allocation. The operations and schemas are complete.
void buildLimits(const load::Documents& documents, Description& description, Problems& problems);

}  // namespace tally::codegen::model
