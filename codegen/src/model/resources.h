#pragma once

#include "schemas.h"

namespace tally::codegen::model {

/// Makes the resources of every file, from their schemas and the operations there are.
void buildResources(const load::Documents& documents, const Schemas& schemas, Description& description,
                    Problems& problems);

}  // namespace tally::codegen::model
