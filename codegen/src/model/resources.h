#pragma once

#include "schemas.h"

namespace tally::codegen::model {

/// Builds the resources of every file from their schemas and operations.
void buildResources(const load::Documents& documents, const Schemas& schemas, Description& description,
                    Problems& problems);

}  // namespace tally::codegen::model
