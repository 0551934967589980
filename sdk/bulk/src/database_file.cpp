#include "database_file.h"

#include <cerrno>
#include <exception>
#include <system_error>
#include <utility>

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

DatabaseName::DatabaseName(const DatabaseKind& kind, std::filesystem::path path)
    : kind_(kind), path_(std::move(path)) {}

void DatabaseName::fail(const std::string& what) const {
  kind_.throwError("the " + std::string{kind_.name} + ' ' + path_.string() + ' ' + what);
  std::terminate();
}

void DatabaseName::failAsForeign() const {
  fail("is not " + std::string{kind_.article} + ' ' + std::string{kind_.name} + " of tally");
}

DatabaseFile::DatabaseFile(const DatabaseKind& kind, const std::filesystem::path& name) : name_(kind, name) {
  if (name.empty())
    kind.throwError("the " + std::string{kind.name} + " has no name: pass the path of a file");
  if (name.native().find('\0') != std::string::npos)
    DatabaseName{kind, name.c_str()}.fail("can't be opened: its name contains a NUL character");
  try {
    path_ = resolve(name);
  } catch (const std::filesystem::filesystem_error& error) {
    name_.fail("can't be opened: " + error.code().message());
  }
}

void DatabaseFile::check() const {
  struct stat status{};
  if (stat(path_.c_str(), &status) != 0) name_.fail("can't be opened: " + lastError());
  if (isOtherThanAFile(status)) name_.fail("can't be opened: it is not a regular file");
  if (status.st_nlink > 1)
    name_.fail(
        "has more than one hard link, and its write-ahead log is next to one of them: remove the others");
}

DatabaseLock::DatabaseLock(const DatabaseFile& database, std::string_view suffix) {
  open(database, database.path().string() + std::string{suffix});
  int failed = 0;
  do {
    failed = flock(lock_, LOCK_EX | LOCK_NB);
  } while (failed != 0 && errno == EINTR);
  if (failed == 0) return;
  const std::string what =
      errno == EWOULDBLOCK ? "is in use by another process" : "can't be locked: " + lastError();
  close(lock_);
  database.name().fail(what);
}

DatabaseLock::~DatabaseLock() {
  close(lock_);  // not LOCK_UN, with which a forked child would release its parent's lock
}

/// The lock file stays, since another process may have opened it just before it would be removed. It belongs
/// to the same owner as the database, so that it obstructs nobody who may use the database.
void DatabaseLock::open(const DatabaseFile& database, const std::string& file) {
  struct stat status{};
  const bool exists = stat(database.path().c_str(), &status) == 0;
  if (exists && isOtherThanAFile(status)) database.name().fail("can't be opened: it is not a regular file");
  constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  const mode_t mode = exists ? status.st_mode & permissions : newMode;
  lock_ = ::open(file.c_str(), flags | O_CREAT | O_EXCL, mode);
  if (lock_ >= 0 && exists) {
    (void)fchmod(lock_, mode);
    [[maybe_unused]] const int ignored = fchown(lock_, status.st_uid, status.st_gid);  // root may
  }
  if (lock_ < 0 && errno == EEXIST) lock_ = ::open(file.c_str(), flags);
  if (lock_ < 0)
    database.name().fail("can't be opened, because its lock file " + file + " can't be: " + lastError());
}

}  // namespace tally::detail
