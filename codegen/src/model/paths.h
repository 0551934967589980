#pragma once

#include <string>
#include <string_view>

#include "model/description.h"

namespace tally::codegen::model {

/// The field at a path such as `amount_failed.value`, starting from `start`, or null.
[[nodiscard]] const Field* fieldAt(const Struct& start, std::string_view path);

}  // namespace tally::codegen::model
