#pragma once

#include <string>

#include "emit/sdk/methods.h"
#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// The type that holds any report on a resource, and the declarations of the methods that determine whether
/// one was applied; false if objects do not show it.
[[nodiscard]] Data reportCheckDeclarations(const model::Resource& resource, Form form);

/// The definitions.
[[nodiscard]] Data reportCheckDefinitions(const model::Resource& resource, Form form);

/// The declaration of the function that finds the operation of a report.
[[nodiscard]] std::string callOfDeclaration(const model::Resource& resource);

}  // namespace tally::codegen::emit
