#pragma once

#include <filesystem>

#include "wire/temporary_folder.h"

namespace tally::test {

/// What would be left of a folder after a loss of power: each file as it was when it was last synchronized.
/// New names are taken to be durable. At most one exists at a time.
class DurableFiles {
 public:
  explicit DurableFiles(const std::filesystem::path& folder);
  DurableFiles(const DurableFiles&) = delete;
  DurableFiles& operator=(const DurableFiles&) = delete;
  ~DurableFiles();

  /// The folder with what is left.
  [[nodiscard]] const std::filesystem::path& left() const noexcept { return left_.path(); }

 private:
  TemporaryFolder left_{};
};

/// For the functions that this program replaces. They return `result`, and do nothing if that is an error.
namespace durable_files {

int synced(int file, int result) noexcept;
int renamed(const char* from, const char* to, int result) noexcept;
int removed(const char* name, int result) noexcept;

}  // namespace durable_files

}  // namespace tally::test
