#pragma once

#include <string>
#include <string_view>

#include "load/problems.h"

namespace tally::codegen::model {

/// `report_failed` -> `reportFailed`, `global-rate` -> `globalRate`.
[[nodiscard]] std::string camelCase(std::string_view name);
/// `payment_record` -> `PaymentRecord`.
[[nodiscard]] std::string pascalCase(std::string_view name);

/// Whether `name` consists of lowercase letters, digits and single separators and begins with a letter, so
/// that it can become a C++ name.
[[nodiscard]] bool isPlain(std::string_view name);

[[nodiscard]] bool isKeyword(std::string_view name);

/// Whether a method of a service, or of its mock, can't have that name.
[[nodiscard]] bool isTakenInService(std::string_view method);
/// Whether a client has a member with that name besides its services.
[[nodiscard]] bool isTakenInClient(std::string_view accessor);
/// Whether the client's own headers define a type, function or namespace with that name in `tally`.
[[nodiscard]] bool isTakenInNamespace(std::string_view name);
/// Whether the client has a header of its own with that stem.
[[nodiscard]] bool isTakenAsFile(std::string_view stem);

/// Adds a problem if `name`, which becomes `cppName`, can't be a name in C++.
void checkName(const std::string& name, const std::string& cppName, const Place& place, Problems& problems);

}  // namespace tally::codegen::model
