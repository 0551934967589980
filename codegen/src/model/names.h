#pragma once

#include <string>
#include <string_view>

#include "../problems.h"

namespace tally::codegen::model {

/// `report_failed` -> `reportFailed`, `global-rate` -> `globalRate`.
[[nodiscard]] std::string camelCase(std::string_view name);
/// `payment_record` -> `PaymentRecord`.
[[nodiscard]] std::string pascalCase(std::string_view name);

/// Whether `name` is made of lower-case letters, digits and single separators, and begins with a letter, so
/// that a C++ name can be made of it.
[[nodiscard]] bool isPlain(std::string_view name);

[[nodiscard]] bool isKeyword(std::string_view name);

/// Whether the client's own headers have a type, function or namespace of that name in `tally`.
[[nodiscard]] bool isTakenInNamespace(std::string_view name);
/// Whether the client's own headers have a file of that name without its ending.
[[nodiscard]] bool isTakenAsFile(std::string_view stem);

/// Adds a problem if `name`, which becomes `cppName`, can't be a name in C++.
void checkName(const std::string& name, const std::string& cppName, const Place& place, Problems& problems);

}  // namespace tally::codegen::model
