#pragma once

#include <string>

#include "emit/text/layout.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// The name of the array of a struct's fields.
[[nodiscard]] std::string tableName(const model::Struct& type);

/// The rows of that array.
[[nodiscard]] Lines fieldLines(const model::Struct& type);

/// The definition of the struct's Schema, without `template <>`.
[[nodiscard]] std::string schemaDefinition(const model::Struct& type);

}  // namespace tally::codegen::emit
