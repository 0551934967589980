#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "emit/text/render.h"

// The generated files on disk.

namespace tally::codegen::output {

/// The differences between the files on disk and the generated ones.
struct Drift {
  std::vector<const emit::File*> missing{};
  std::vector<const emit::File*> different{};
  std::vector<std::string> stale{};  // paths of files that are no longer generated

  [[nodiscard]] bool empty() const { return missing.empty() && different.empty() && stale.empty(); }
};

/// Throws std::runtime_error if two files have the same path.
[[nodiscard]] Drift compare(const std::filesystem::path& root, const std::vector<emit::File>& files);

/// One line per difference.
[[nodiscard]] std::vector<std::string> describe(const Drift& drift);

/// Removes the drift: writes missing and different files and removes stale ones. Writes everything into a
/// temporary folder in `root` first, then moves it. Throws std::runtime_error if something is in the way or
/// the disk is full, and then changes nothing.
void write(const std::filesystem::path& root, const Drift& drift);

}  // namespace tally::codegen::output
