#pragma once

#include <string>

#include "model/description.h"

namespace tally::codegen::emit {

/// The declaration of `<<` in a struct.
[[nodiscard]] std::string printerDeclaration(const std::string& type);

/// The definition of `<<` for a struct; `printed` is the stream after it has printed `value`.
[[nodiscard]] std::string printerDefinition(const std::string& type,
                                            const std::string& printed = "detail::print(out, value)");

/// `<<` for the pages of a resource.
[[nodiscard]] std::string pagePrinter(const model::Resource& resource);

}  // namespace tally::codegen::emit
