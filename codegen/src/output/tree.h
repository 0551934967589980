#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "../emit/render.h"

// The generated files on disk: complete or as before, never half.

namespace tally::codegen::output {

/// What differs between the files on disk under `root` and those that should be there.
struct Drift {
  std::vector<const emit::File*> missing{};
  std::vector<const emit::File*> different{};
  std::vector<std::string> stale{};  // paths of generated files that should not be there

  [[nodiscard]] bool empty() const { return missing.empty() && different.empty() && stale.empty(); }
};

[[nodiscard]] Drift compare(const std::filesystem::path& root, const std::vector<emit::File>& files);

/// A line for each difference.
[[nodiscard]] std::vector<std::string> describe(const Drift& drift);

/// Puts an end to the drift: writes what is missing or different, and removes what is stale. Everything is
/// written under temporary names first. Throws std::runtime_error where something can't be written; all is as
/// before then.
void write(const std::filesystem::path& root, const Drift& drift);

}  // namespace tally::codegen::output
