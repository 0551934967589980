#pragma once

#include <filesystem>
#include <string>

namespace tally::detail {

/// Throws a JournalError about the journal with this name: `what` continues the sentence.
[[noreturn]] void failJournal(const std::filesystem::path& name, const std::string& what);

/// The file of a journal, locked until this is destroyed. The lock is on a file beside it, `.lock`, and is
/// that of an open file (flock): a process loses it neither by opening and closing the journal, as POSIX
/// record locks do, nor to a second journal of its own.
class JournalFile {
 public:
  /// Throws JournalError if the journal is in use, or its name is not that of a file.
  explicit JournalFile(const std::filesystem::path& name);
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;
  ~JournalFile();

  /// As the application specifies it.
  [[nodiscard]] const std::filesystem::path& name() const noexcept { return name_; }

  /// Absolute and without symbolic links, so that all names of the file lead to the same log and lock.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// Throws JournalError unless the file exists and has one name.
  void check() const;

 private:
  void lock();
  void openLock();

  std::filesystem::path name_;
  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace tally::detail
