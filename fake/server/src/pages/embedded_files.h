#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace tally::fake::detail {

/// A file that is part of the program; see embed.cmake.
struct EmbeddedFile {
  std::string_view name{};
  std::string_view text{};
};

extern const std::span<const EmbeddedFile> embeddedFiles;

/// The contents of a file that is embedded.
[[nodiscard]] inline std::string_view embeddedFile(std::string_view name) {
  return std::ranges::find(embeddedFiles, name, &EmbeddedFile::name)->text;
}

}  // namespace tally::fake::detail
