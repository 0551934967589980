#pragma once

#include <optional>
#include <string>

#include "files/open_file.h"

namespace tally::fake::detail {

/// A lock: of all processes, one holds it, until it ends or destroys this. It is a file that has no other
/// use and exists while the lock is held, or since the process that held it was killed. Unlike a lock of
/// fcntl(2), it stays when something else in the process opens and closes the file.
class FileLock {
 public:
  /// Throws std::system_error: EWOULDBLOCK if the lock is held, or why there can be no such file.
  explicit FileLock(std::string file);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  [[nodiscard]] bool isCurrent() const;

  std::string name_;
  std::optional<OpenFile> file_{};
};

}  // namespace tally::fake::detail
