#pragma once

#include "../load/references.h"
#include "description.h"

namespace tally::codegen::model {

/// Makes the error answers of every file.
void buildErrors(const load::Documents& documents, Description& description, Problems& problems);

/// Makes the headers and the conventions that root.json describes.
void buildConventions(const load::Documents& documents, Description& description, Problems& problems);

}  // namespace tally::codegen::model
