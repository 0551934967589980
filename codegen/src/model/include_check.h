#pragma once

#include "description.h"

namespace tally::codegen::model {

/// Finds headers that would include each other.
void checkIncludes(const Description& description, Problems& problems);

}  // namespace tally::codegen::model
