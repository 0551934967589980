#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "emit/text/render.h"

namespace tally::codegen::output {

/// Formats the C++ files with `program`, a clang-format, in the style of the `.clang-format` in `root` or in
/// the nearest folder above it. Throws std::runtime_error if there is none, or if `program` fails.
void format(std::vector<emit::File>& files, const std::string& program, const std::filesystem::path& root);

}  // namespace tally::codegen::output
