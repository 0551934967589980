#pragma once

#include <filesystem>
#include <string_view>

namespace tally::codegen::output {

/// A new folder in `parent`, removed at the end with all that it contains. Throws std::runtime_error if it
/// can't be created.
class TempFolder {
 public:
  explicit TempFolder(const std::filesystem::path& parent);
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace tally::codegen::output
