#pragma once

#include <string>

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// The constant that holds the rules of a resource.
[[nodiscard]] std::string rulesConstant(const model::Resource& resource);

/// What the template of a resource's rules needs.
[[nodiscard]] Data rulesData(const model::Description& description, const model::Resource& resource);

}  // namespace tally::codegen::emit
