#pragma once

#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tally::detail {

/// Appends `object`, a struct of `type`, as compact JSON. Omits optional fields that Field::given() finds
/// empty, and writes `null` for required ones.
void writeJson(std::string& out, const Struct& type, const void* object);

/// Appends `value`, of `type`; for an optional type, its contained value.
void writeJsonValue(std::string& out, const Type& type, const void* value);

/// Appends `text`, escaped and in quotes.
void writeJsonString(std::string& out, std::string_view text);

}  // namespace tally::detail
