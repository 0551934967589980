#pragma once

#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tally::detail {

/// Appends `object`, whose fields are those of `type`, as compact JSON. An empty optional is left out, or
/// written as `null` where the field is required.
void writeJson(std::string& out, const Struct& type, const void* object);

/// Appends `value`, which is of `type`, or of what that is an optional of.
void writeJsonValue(std::string& out, const Type& type, const void* value);

/// Appends `text` in quotes, escaped.
void writeJsonString(std::string& out, std::string_view text);

}  // namespace tally::detail
