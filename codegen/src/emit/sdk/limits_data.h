#pragma once

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// The limits and the read allocation.
[[nodiscard]] Data limitsData(const model::Description& description);

}  // namespace tally::codegen::emit
