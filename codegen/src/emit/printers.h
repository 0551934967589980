#pragma once

#include <string>

#include "../model/description.h"

namespace tally::codegen::emit {

/// The declaration of `<<` in a struct.
[[nodiscard]] std::string printerDeclaration(const model::Struct& type);

/// The definition of `<<` for a struct.
[[nodiscard]] std::string printerDefinition(const model::Struct& type);

/// `<<` for the pages of a resource.
[[nodiscard]] std::string pagePrinter(const model::Resource& resource);

}  // namespace tally::codegen::emit
