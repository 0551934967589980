#pragma once

#include <set>
#include <string>

#include "model/description.h"

namespace tally::codegen::emit {

/// The C++ type of a value.
[[nodiscard]] std::string cppType(const model::Type& type);

/// The C++ type of the member that holds a field of `owner`.
[[nodiscard]] std::string memberType(const model::Field& field, const model::Struct& owner);

/// Adds the headers that the member for `field` of `owner` needs, such as `<string>`.
void addIncludes(const model::Field& field, const model::Struct& owner, std::set<std::string>& includes);

}  // namespace tally::codegen::emit
