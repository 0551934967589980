#pragma once

#include "description.h"

namespace tally::codegen::model {

/// Finds names that C++ does not allow, reserved names, and name clashes.
void checkNames(const Description& description, Problems& problems);

}  // namespace tally::codegen::model
