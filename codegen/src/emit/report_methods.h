#pragma once

#include "../model/description.h"
#include "methods.h"
#include "render.h"

namespace tally::codegen::emit {

/// The declarations of the methods that send any report; false if there are no reports on the resource.
[[nodiscard]] Data reportMethodDeclarations(const model::Resource& resource, Form form);

/// The definitions.
[[nodiscard]] Data reportMethodDefinitions(const model::Resource& resource, Form form);

}  // namespace tally::codegen::emit
