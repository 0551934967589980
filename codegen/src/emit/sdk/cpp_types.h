#pragma once

#include <set>
#include <string>

#include "model/description.h"

namespace tally::codegen::emit {

/// The C++ type of a value.
[[nodiscard]] std::string cppType(const model::Type& type);

/// The C++ type of the member that holds a field of `owner`.
[[nodiscard]] std::string memberType(const model::Field& field, const model::Struct& owner);

/// The C++ type of the member that refers to a field of the parameters of an asynchronous method. All of
/// these types are trivially destructible.
[[nodiscard]] std::string argumentType(const model::Type& type);

/// Adds the headers that the member for `field` of `owner` needs, such as `<string>`.
void addIncludes(const model::Field& field, const model::Struct& owner, std::set<std::string>& includes);

}  // namespace tally::codegen::emit
