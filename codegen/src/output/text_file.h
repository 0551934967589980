#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tally::codegen::output {

/// The contents of a file; nothing if there is none at `path`.
[[nodiscard]] std::optional<std::string> readText(const std::filesystem::path& path);

/// Writes a file and the folders that it needs. Throws std::runtime_error on failure.
void writeText(const std::filesystem::path& path, std::string_view text);

}  // namespace tally::codegen::output
