#include "files/state_file.h"

#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "files/open_file.h"

namespace tally::fake::detail {

namespace {

namespace fs = std::filesystem;

constexpr mode_t anyoneMayWrite = 0222;
constexpr mode_t permissions = 07777;

std::string folderOf(const std::string& file) {
  const fs::path folder = fs::path{file}.parent_path();
  return folder.empty() ? "." : folder.string();
}

/// Where a symbolic link leads, even if nothing is there yet.
std::string linkedFileOf(const std::string& name) {
  constexpr int most = 40;  // as in Linux
  fs::path path{name};
  for (int links = 0; links < most; ++links) {
    std::error_code none;
    if (!fs::is_symlink(path, none)) return path.string();
    const fs::path target = fs::read_symlink(path, none);
    if (none) break;
    path = path.parent_path() / target;
  }
  return name;  // opening it fails, and says why
}

/// Nothing if the file does not exist.
std::optional<struct statx> statusOf(const std::string& file) {
  struct statx found{};
  constexpr unsigned wanted = STATX_TYPE | STATX_MODE | STATX_UID | STATX_GID;
  if (::statx(AT_FDCWD, file.c_str(), 0, wanted, &found) == 0) return found;
  if (errno != ENOENT) OpenFile::fail();
  return std::nullopt;
}

/// In a folder such as /tmp, only the owner of a file or of the folder may replace it.
bool isKeptByAnother(const struct statx& file, const std::string& folder) {
  const auto kept = statusOf(folder);
  const uid_t self = ::geteuid();
  return kept && (kept->stx_mode & S_ISVTX) != 0 && self != 0 && self != file.stx_uid &&
         self != kept->stx_uid;
}

/// Gives a new file the mode of the one that it will replace, and the owner, which only root can.
void takeAfter(const OpenFile& next, const struct statx& file) {
  if (::geteuid() == 0 && ::fchown(next.descriptor(), file.stx_uid, file.stx_gid) != 0 && errno != EPERM &&
      errno != EINVAL)  // in some containers, not even root can
    OpenFile::fail();
  next.setMode(file.stx_mode & permissions);
}

std::string remedyOf(const std::error_code& problem) {
  if (problem == std::errc::no_such_file_or_directory) return "create the folder";
  if (problem == std::errc::permission_denied || problem == std::errc::read_only_file_system)
    return "make the folder writable";
  if (problem == std::errc::no_space_on_device) return "make room";
  return "fix the problem";
}

}  // namespace

StateFile::StateFile(std::string name)
    : name_(std::move(name)), file_(linkedFileOf(name_)), next_(file_ + ".new"), lock_(lock()) {
  tryToWrite();
}

void StateFile::refuse(const std::string& problem, const std::string& remedy) const {
  throw std::runtime_error{"can't keep the state in " + name_ + ": " + problem + "; " + remedy +
                           ", or name another file with --state"};
}

void StateFile::failToSave(const std::string& problem) const {
  throw std::runtime_error{"can't save the state in " + name_ + ": " + problem};
}

void StateFile::requireReplaceable() const {
  const auto found = statusOf(file_);
  if (!found) return;
  if (!S_ISREG(found->stx_mode)) refuse("it is not a regular file", "move it away");
  if ((found->stx_mode & anyoneMayWrite) == 0) refuse("it is write-protected", "make it writable");
  if ((found->stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0)
    refuse("it is a mount point, which can't be replaced", "mount its folder instead");
  if ((found->stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)) != 0)
    refuse("its attributes forbid replacing it", "remove them with chattr");
  if (isKeptByAnother(*found, folderOf(file_)))
    refuse("it belongs to another user, and only owners may replace files in its folder",
           "let that user remove it");
}

FileLock StateFile::lock() const {
  try {
    requireReplaceable();
    return FileLock{file_ + ".lock"};
  } catch (const std::system_error& problem) {
    if (problem.code() == std::errc::operation_would_block)
      refuse("it is in use by another tally-fake", "stop that one");
    refuse("no file can be created in its folder " + folderOf(file_) + ": " + problem.code().message(),
           remedyOf(problem.code()));
  }
}

/// At the end, it would be too late to learn that nothing can be saved.
void StateFile::tryToWrite() const {
  try {
    write("\n");
  } catch (const std::system_error& problem) {
    refuse("can't write " + next_ + ": " + problem.code().message(), remedyOf(problem.code()));
  }
  ::unlink(next_.c_str());
}

std::optional<std::string> StateFile::contents() const {
  try {
    if (!statusOf(file_)) return std::nullopt;
    return OpenFile{file_, O_RDONLY}.contents();
  } catch (const std::system_error& problem) {
    refuse("it can't be read: " + problem.code().message(), "make it readable");
  } catch (const std::exception&) {
    refuse("it is larger than the available memory", "move it away");
  }
}

void StateFile::replace(const std::string& text, const Check& check) const {
  try {
    write(text);
  } catch (const std::system_error& problem) {
    failToSave(problem.code().message() + "; the file stays as it was");
  }
  accept(text, check);
  if (std::rename(next_.c_str(), file_.c_str()) != 0) setAside(std::generic_category().message(errno));
  try {
    syncFolder(folderOf(file_));
  } catch (const std::system_error& problem) {
    failToSave("it is written, but may not survive a failure of the machine: " + problem.code().message());
  }
}

/// Writes the file that is to replace the present one. A file that a killed process left is in the way.
void StateFile::write(const std::string& text) const {
  if (::unlink(next_.c_str()) != 0) OpenFile::check(errno == ENOENT);
  OpenFile next{next_, O_WRONLY | O_CREAT | O_EXCL};
  try {
    if (const auto file = statusOf(file_)) takeAfter(next, *file);
    next.write(text);
    next.sync();
    next.close();
  } catch (const std::system_error&) {
    ::unlink(next_.c_str());
    throw;
  }
}

void StateFile::accept(const std::string& text, const Check& check) const {
  std::string problem;
  try {
    if (OpenFile{next_, O_RDONLY}.contains(text)) return check(text);
    problem = "the written state differs when it is read back";
  } catch (const std::exception& thrown) {
    problem = std::string{"the written state can't be loaded: "} + thrown.what();
  }
  setAside(problem);
}

/// Keeps a state that can't replace the file, since it exists nowhere else.
void StateFile::setAside(const std::string& problem) const {
  const std::string aside = file_ + ".unsaved";
  const bool moved = std::rename(next_.c_str(), aside.c_str()) == 0;
  failToSave(problem + "; the file stays as it was, and the new state is in " + (moved ? aside : next_));
}

}  // namespace tally::fake::detail
