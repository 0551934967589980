#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tally::codegen::output {

/// An atomic change to several files: unless commit() finishes, the destructor undoes it.
class Change {
 public:
  explicit Change(std::filesystem::path root) : root_(std::move(root)) {}
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  ~Change();

  /// Writes the new contents of the file at `path` next to it. Throws std::runtime_error on failure.
  void prepare(const std::string& path, std::string_view text);
  /// Schedules the removal of the file at `path`.
  void remove(const std::string& path);
  /// Moves everything into place. Throws std::runtime_error on failure.
  void commit();

 private:
  struct Step {
    std::filesystem::path target{};
    std::filesystem::path prepared{};  // empty if the target is removed
    std::filesystem::path saved{};     // the previous target, once it has been moved
    bool placed = false;
  };

  void makeFolders(const std::filesystem::path& folder);
  void save(Step& step);
  void undo();

  std::filesystem::path root_;
  std::vector<Step> steps_{};
  std::vector<std::filesystem::path> madeFolders_{};
  bool committed_ = false;
};

}  // namespace tally::codegen::output
