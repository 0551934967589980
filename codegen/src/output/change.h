#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tally::codegen::output {

/// A change to several files that happens wholly or not at all: what commit() has not finished, the
/// destructor undoes.
class Change {
 public:
  explicit Change(std::filesystem::path root) : root_(std::move(root)) {}
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  ~Change();

  /// Writes what will be the file at `path` beside it. Throws std::runtime_error where that fails.
  void prepare(const std::string& path, std::string_view text);
  /// Takes note that the file at `path` is to go.
  void remove(const std::string& path);
  /// Puts everything in its place. Throws std::runtime_error where that fails.
  void commit();

 private:
  struct Step {
    std::filesystem::path target{};
    std::filesystem::path prepared{};  // empty where the target is removed
    std::filesystem::path saved{};     // what stood at the target, once it has been moved
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
