#include "platform/locked_file.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/last_error.h"

namespace tally::detail {

namespace {

constexpr mode_t newMode = 0644;
constexpr mode_t permissions = 0777;

int opened(const std::string& name, const std::filesystem::path& guarded) {
  struct stat status{};
  const bool exists = ::stat(guarded.c_str(), &status) == 0;
  constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  const mode_t mode = exists ? status.st_mode & permissions : newMode;
  int file = ::open(name.c_str(), flags | O_CREAT | O_EXCL, mode);
  if (file >= 0 && exists) {
    (void)::fchmod(file, mode);
    [[maybe_unused]] const int ignored = ::fchown(file, status.st_uid, status.st_gid);  // root may
  }
  if (file < 0 && errno == EEXIST) file = ::open(name.c_str(), flags);
  if (file < 0) throw LockedFile::OpenFailed{lastError()};
  return file;
}

std::error_code lock(int file) noexcept {
  while (::flock(file, LOCK_EX | LOCK_NB) != 0)
    if (errno != EINTR) return lastError();
  return {};
}

}  // namespace

LockedFile::LockedFile(const std::string& name, const std::filesystem::path& guarded)
    : file_(opened(name, guarded)) {
  if (const std::error_code failed = lock(file_)) {
    ::close(file_);
    throw std::system_error{failed};
  }
}

LockedFile::~LockedFile() {
  ::close(file_);  // not LOCK_UN, with which a forked child would release its parent's lock
}

}  // namespace tally::detail
