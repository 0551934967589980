#pragma once

#include "description.h"

namespace tally::codegen::model {

/// Finds names that C++ does not allow, names that are taken, and different things that would bear one name.
void checkNames(const Description& description, Problems& problems);

}  // namespace tally::codegen::model
