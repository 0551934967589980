#pragma once

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// The declarations of the methods that determine the outcome of a report: for each of the two, a comment and
/// its overloads. Empty if objects do not show it.
[[nodiscard]] Data fateDeclarations(const model::Resource& resource);

/// Their definitions.
[[nodiscard]] Data fateDefinitions(const model::Resource& resource);

}  // namespace tally::codegen::emit
