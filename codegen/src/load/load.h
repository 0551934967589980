#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "load/references.h"

namespace tally::codegen::load {

/// The first stage: reads and checks the files of an API description. For a folder, that is every `*.json` in
/// it. Nothing, and at least one line in `problems`, on errors.
[[nodiscard]] std::optional<Documents> load(const std::vector<std::filesystem::path>& paths,
                                            Problems& problems);

/// The same for documents already read.
[[nodiscard]] std::optional<Documents> check(Documents documents, Problems& problems);

}  // namespace tally::codegen::load
