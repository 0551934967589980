#include "journal_file.h"

#include <cerrno>
#include <system_error>

#include <tally/report_journal.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tally::detail {

namespace {

constexpr mode_t newMode = 0644;  // as SQLite creates files
constexpr mode_t permissions = 0777;

std::string lastError() {
  return std::generic_category().message(errno);
}

/// Follows a symbolic link even if its target does not exist yet: SQLite creates that file.
std::filesystem::path resolve(const std::filesystem::path& name) {
  constexpr int mostLinks = 40;  // as Linux has it
  std::filesystem::path path = std::filesystem::absolute(name);
  for (int links = 0; links < mostLinks && std::filesystem::is_symlink(path); ++links)
    path = path.parent_path() / std::filesystem::read_symlink(path);
  return std::filesystem::canonical(path.parent_path()) / path.filename();
}

bool isOtherThanAFile(const struct stat& status) {
  return !S_ISREG(status.st_mode);
}

}  // namespace

void failJournal(const std::filesystem::path& name, const std::string& what) {
  throw JournalError{"the journal " + name.string() + ' ' + what};
}

JournalFile::JournalFile(const std::filesystem::path& name) : name_(name) {
  if (name.empty()) throw JournalError{"the journal has no name: pass the path of a file"};
  if (name.native().find('\0') != std::string::npos)
    failJournal(name.c_str(), "can't be opened: its name contains a NUL character");
  try {
    path_ = resolve(name);
  } catch (const std::filesystem::filesystem_error& error) {
    failJournal(name, "can't be opened: " + error.code().message());
  }
  lock();
}

JournalFile::~JournalFile() {
  if (lock_ >= 0) close(lock_);  // not LOCK_UN, with which a forked child would release its parent's lock
}

void JournalFile::lock() {
  openLock();
  int failed = 0;
  do {
    failed = flock(lock_, LOCK_EX | LOCK_NB);
  } while (failed != 0 && errno == EINTR);
  if (failed == 0) return;
  const std::string what =
      errno == EWOULDBLOCK ? "is in use by another process" : "can't be locked: " + lastError();
  close(lock_);
  failJournal(name_, what);
}

/// The lock file stays, since another process may have opened it just before it would be removed. It belongs
/// to the same owner as the journal, so that it obstructs nobody who may use the journal.
void JournalFile::openLock() {
  struct stat journal{};
  const bool exists = stat(path_.c_str(), &journal) == 0;
  if (exists && isOtherThanAFile(journal)) failJournal(name_, "can't be opened: it is no regular file");
  const std::string file = path_.string() + ".lock";
  constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  const mode_t mode = exists ? journal.st_mode & permissions : newMode;
  lock_ = open(file.c_str(), flags | O_CREAT | O_EXCL, mode);
  if (lock_ >= 0 && exists) {
    (void)fchmod(lock_, mode);
    [[maybe_unused]] const int ignored = fchown(lock_, journal.st_uid, journal.st_gid);  // root may
  }
  if (lock_ < 0 && errno == EEXIST) lock_ = open(file.c_str(), flags);
  if (lock_ < 0)
    failJournal(name_, "can't be opened, because its lock file " + file + " can't be: " + lastError());
}

void JournalFile::check() const {
  struct stat status{};
  if (stat(path_.c_str(), &status) != 0) failJournal(name_, "can't be opened: " + lastError());
  if (isOtherThanAFile(status)) failJournal(name_, "can't be opened: it is no regular file");
  if (status.st_nlink > 1)
    failJournal(
        name_,
        "has more than one hard link, and its write-ahead log lies beside one of them: remove the others");
}

}  // namespace tally::detail
