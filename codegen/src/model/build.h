#pragma once

#include <optional>

#include "../load/references.h"
#include "description.h"

namespace tally::codegen::model {

/// The second stage: makes the model of documents that load::check() has passed. Nothing, and at least one
/// line in `problems`, where they contradict themselves or can't be put into C++.
[[nodiscard]] std::optional<Description> build(const load::Documents& documents, Problems& problems);

}  // namespace tally::codegen::model
