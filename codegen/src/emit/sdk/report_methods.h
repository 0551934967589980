#pragma once

#include "emit/sdk/methods.h"
#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// The declarations of the methods that send any report; false if there are no reports on the resource.
[[nodiscard]] Data reportMethodDeclarations(const model::Resource& resource, Form form);

/// The definitions.
[[nodiscard]] Data reportMethodDefinitions(const model::Resource& resource, Form form);

}  // namespace tally::codegen::emit
