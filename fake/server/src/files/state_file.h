#pragma once

#include <functional>
#include <optional>
#include <string>

#include "files/file_lock.h"

namespace tally::fake::detail {

/// The file that keeps the services from one run to the next. While this exists, no other process has the
/// same file. Not thread-safe.
///
/// Beside the file, three others exist for a while: with the suffix `.lock` while this exists, `.new` during
/// replace(), and `.unsaved` if that has failed.
class StateFile {
 public:
  /// Throws what makes a text unfit for the file.
  using Check = std::function<void(const std::string& text)>;

  /// A symbolic link means the file that it leads to. The file need not exist. Throws std::runtime_error,
  /// with the name, the problem and its remedy, if replace() could not succeed later: if it is no regular
  /// file, is write-protected or mounted, if no file can be created in its folder, or if it is in use.
  explicit StateFile(std::string name);

  /// As it was given.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Nothing if the file does not exist. Throws std::runtime_error with the name and the problem.
  [[nodiscard]] std::optional<std::string> contents() const;

  /// Replaces the contents, or creates the file, once the text has been written, is the same when read again,
  /// and passes the check. An existing file keeps its mode, and its owner if root replaces it. If this fails,
  /// or the program or the machine stops meanwhile, the file has its old contents. Throws std::runtime_error
  /// with the name and the problem. If the text was written, it stays beside the file, and the error says
  /// where.
  void replace(const std::string& text, const Check& check) const;

 private:
  [[noreturn]] void refuse(const std::string& problem, const std::string& remedy) const;
  [[noreturn]] void failToSave(const std::string& problem) const;
  void requireReplaceable() const;
  [[nodiscard]] FileLock lock() const;
  void tryToWrite() const;
  void write(const std::string& text) const;
  void accept(const std::string& text, const Check& check) const;
  [[noreturn]] void setAside(const std::string& problem) const;

  const std::string name_;
  const std::string file_;  // where the link leads
  const std::string next_;  // the file that replaces it
  const FileLock lock_;
};

}  // namespace tally::fake::detail
