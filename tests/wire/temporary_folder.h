#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <stdlib.h>
#include <unistd.h>

namespace tally::test {

/// A new folder. The destructor removes it with its contents, but only in the process that made it: a child
/// that a test has forked destroys its copies of static objects when it exits.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tally-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error{"can't make " + name};
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    if (getpid() != owner_) return;
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// Writes a file. Returns its path.
  std::string write(std::string_view name, std::string_view text) const {
    const std::filesystem::path file = path_ / name;
    std::ofstream{file, std::ios::binary} << text;
    return file.string();
  }

 private:
  std::filesystem::path path_{};
  pid_t owner_ = getpid();
};

}  // namespace tally::test
