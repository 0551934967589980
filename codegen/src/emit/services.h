#pragma once

#include <string_view>

#include "../model/description.h"
#include "render.h"

namespace tally::codegen::emit {

/// The folder of the files that define services.
inline constexpr std::string_view servicesFolder = "sdk/generated/src/services/";

/// The methods of the client's services, one file per resource. They are separate from the tables, so that a
/// program that links a table does not link the client.
void emitServices(const model::Description& description, Templates& templates, std::vector<File>& files);

}  // namespace tally::codegen::emit
