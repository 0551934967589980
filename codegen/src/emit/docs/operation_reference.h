#pragma once

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// The page of a resource: its operations, with parameters, errors and limits, its fields and its states.
[[nodiscard]] Data referenceData(const model::Description& description, const model::Resource& resource);

/// The page of all operations, errors and limits.
[[nodiscard]] Data referenceIndexData(const model::Description& description);

}  // namespace tally::codegen::emit
