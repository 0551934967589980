#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tally/error.h>

#include "schema/object_ref.h"

namespace tally::detail {

/// toJson() for an object of any type.
[[nodiscard]] std::string jsonOf(ConstObjectRef object);

/// fromJson() into an object of any type.
[[nodiscard]] std::optional<Error> readModel(std::string_view json, ObjectRef object);

}  // namespace tally::detail
