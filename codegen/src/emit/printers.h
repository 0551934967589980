#pragma once

#include <string>

#include "../model/description.h"

namespace tally::codegen::emit {

/// The `<<` of a struct, in its definition.
[[nodiscard]] std::string printerDeclaration(const model::Struct& type);

/// What it does.
[[nodiscard]] std::string printerDefinition(const model::Struct& type);

/// The `<<` of the pages of a resource.
[[nodiscard]] std::string pagePrinter(const model::Resource& resource);

}  // namespace tally::codegen::emit
