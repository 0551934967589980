#pragma once

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// The methods that find out what became of a report, in the class of a service: for each of the two kinds a
/// comment and its overloads. Empty where objects do not tell.
[[nodiscard]] Data fateDeclarations(const model::Resource& resource);

/// Their definitions.
[[nodiscard]] Data fateDefinitions(const model::Resource& resource);

}  // namespace tally::codegen::emit
