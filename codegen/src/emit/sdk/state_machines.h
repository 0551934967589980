#pragma once

#include <string>
#include <vector>

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// One row per assignment.
[[nodiscard]] Lines assignmentRows(const std::vector<model::Assignment>& assignments);

/// A named array, or false if it would be empty.
[[nodiscard]] Data table(const std::string& name, const Lines& rows);

/// The state machine of a resource, or false if its objects have no states.
[[nodiscard]] Data stateMachineData(const model::Resource& resource);

/// Refers to the state machine of a resource that has one.
[[nodiscard]] std::string stateMachineConstant(const model::Resource& resource);

}  // namespace tally::codegen::emit
