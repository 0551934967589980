#pragma once

#include <string>
#include <string_view>

#include "description.h"

namespace tally::codegen::model {

/// The field that a path such as `amount_failed.value` leads to from `start`, or null.
[[nodiscard]] const Field* fieldAt(const Struct& start, std::string_view path);

}  // namespace tally::codegen::model
