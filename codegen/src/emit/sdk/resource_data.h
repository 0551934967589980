#pragma once

#include <vector>

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// A resource with its operations and its states, for all templates.
[[nodiscard]] Data resourceData(const model::Description& description, const model::Resource& resource);

/// Rows of the type Assignment.
[[nodiscard]] Data assignmentsData(const std::vector<model::Assignment>& assignments);

}  // namespace tally::codegen::emit
