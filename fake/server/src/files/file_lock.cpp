#include "files/file_lock.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tally::fake::detail {

/// The process that held the lock may remove the file after this one has opened it. The file that is then
/// locked is no longer the one with the name, which a third process may have created meanwhile.
FileLock::FileLock(std::string file) : name_(std::move(file)) {
  do {
    file_.emplace(name_, O_RDONLY | O_CREAT | O_NOFOLLOW);
    OpenFile::check(::flock(file_->descriptor(), LOCK_EX | LOCK_NB) == 0);
  } while (!isCurrent());
}

FileLock::~FileLock() {
  ::unlink(name_.c_str());  // before it is closed, which releases it
}

/// Whether the open file is the one with the name.
bool FileLock::isCurrent() const {
  struct stat named{};
  if (::lstat(name_.c_str(), &named) != 0) {
    OpenFile::check(errno == ENOENT);  // else the next attempt may fail, too
    return false;
  }
  const struct stat opened = file_->status();
  return named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

}  // namespace tally::fake::detail
