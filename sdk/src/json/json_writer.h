#pragma once

#include <string>
#include <string_view>

#include "schema/object_ref.h"

namespace tally::detail {

/// Appends `object` as compact JSON. Omits optional fields that ConstObjectRef::given() finds empty, and
/// writes `null` for required ones.
void writeJson(std::string& out, ConstObjectRef object);

/// Appends `value`, which must not be empty.
void writeJsonValue(std::string& out, ConstValueRef value);

/// Appends `text`, escaped and in quotes.
void writeJsonString(std::string& out, std::string_view text);

}  // namespace tally::detail
