#pragma once

#include <filesystem>
#include <vector>

#include "emit/text/render.h"
#include "model/description.h"

namespace tally::codegen::emit {

/// The third stage: every generated file, sorted by path. Throws std::runtime_error if a template is
/// missing or malformed.
[[nodiscard]] std::vector<File> emit(const model::Description& description,
                                     const std::filesystem::path& templates);

}  // namespace tally::codegen::emit
