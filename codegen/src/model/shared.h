#pragma once

#include "../load/references.h"
#include "description.h"

namespace tally::codegen::model {

/// Builds the error responses of every file.
void buildErrors(const load::Documents& documents, Description& description, Problems& problems);

/// Builds the headers and the conventions that root.json describes.
void buildConventions(const load::Documents& documents, Description& description, Problems& problems);

}  // namespace tally::codegen::model
