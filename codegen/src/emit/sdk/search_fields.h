#pragma once

#include <string>

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// The struct with the fields that searches of a resource can use; false if it has no search.
[[nodiscard]] Data searchFieldsData(const model::Resource& resource);

/// The member of that struct for the field at a path: `amountRequested.value`.
[[nodiscard]] std::string searchFieldName(const model::Struct& type, const std::string& path);

}  // namespace tally::codegen::emit
