#pragma once

#include <optional>

#include "load/references.h"
#include "model/description.h"

namespace tally::codegen::model {

/// The second stage: builds the model from documents that have passed load::check(). Nothing, and at least
/// one line in `problems`, if they are contradictory or can't be expressed in C++.
[[nodiscard]] std::optional<Description> build(const load::Documents& documents, Problems& problems);

}  // namespace tally::codegen::model
