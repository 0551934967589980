#pragma once

#include <string>

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// The name of the constant with the rules of a resource.
[[nodiscard]] std::string rulesConstant(const model::Resource& resource);

/// The data for the template of a resource's rules.
[[nodiscard]] Data rulesData(const model::Description& description, const model::Resource& resource);

}  // namespace tally::codegen::emit
