#pragma once

#include "../load/references.h"
#include "description.h"

namespace tally::codegen::model {

/// Lists the assumptions and the sections of the specification, each with what is based on it.
void buildSources(const load::Documents& documents, Description& description);

/// The readable name of a place in the description: `payment_records.list`, `payment_record.created`.
[[nodiscard]] std::string spokenName(const load::Documents& documents, const load::Node& node);

}  // namespace tally::codegen::model
