#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace tally::fake::detail {

/// Another file that the command line names.
struct NamedFile {
  std::string_view option;
  std::string_view name;
};

/// Throws std::invalid_argument if one of `others` is the same file as the ready file, which will be removed.
/// An empty name means that there is no file.
void requireDistinct(const std::string& readyFile, std::initializer_list<NamedFile> others);

/// A file that exists while the server is ready. One that an earlier run has left is removed at first, so
/// that nobody reads it too early.
class ReadyFile {
 public:
  /// An empty path means that there is no file. Throws std::runtime_error, with the problem, if something
  /// else than a file is there, or if it can't be removed.
  explicit ReadyFile(std::string path);
  ReadyFile(const ReadyFile&) = delete;
  ReadyFile& operator=(const ReadyFile&) = delete;
  ~ReadyFile();

  /// Writes it, so that nobody sees a part of it. Throws std::runtime_error if it can't.
  void write(std::string_view contents);

 private:
  std::string path_;
  std::string written_{};  // what was written; empty before
};

}  // namespace tally::fake::detail
