#include "database_file.h"

#include <exception>
#include <system_error>
#include <utility>

namespace tally::detail {

namespace {

/// Follows a symbolic link even if its target does not exist yet: SQLite creates that file.
std::filesystem::path resolve(const std::filesystem::path& name) {
  constexpr int mostLinks = 40;  // as Linux has it
  std::filesystem::path path = std::filesystem::absolute(name);
  for (int links = 0; links < mostLinks && std::filesystem::is_symlink(path); ++links)
    path = path.parent_path() / std::filesystem::read_symlink(path);
  return std::filesystem::canonical(path.parent_path()) / path.filename();
}

/// Whether something else has the name.
bool isOtherThanAFile(const std::filesystem::path& path) {
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

}  // namespace

DatabaseName::DatabaseName(const DatabaseKind& kind, std::filesystem::path path)
    : kind_(kind), path_(std::move(path)) {}

void DatabaseName::fail(const std::string& what, Effect effect) const {
  kind_.throwError("the " + std::string{kind_.name} + ' ' + path_.string() + ' ' + what, effect);
  std::terminate();
}

void DatabaseName::failAsForeign() const {
  fail("is not a tally " + std::string{kind_.name});
}

DatabaseFile::DatabaseFile(const DatabaseKind& kind, const std::filesystem::path& name) : name_(kind, name) {
  if (name.empty())
    kind.throwError("the " + std::string{kind.name} + " has no name: pass the path of a file", Effect::none);
  if (name.native().find('\0') != std::string::npos)
    DatabaseName{kind, name.c_str()}.fail("can't be opened: its name contains a NUL character");
  try {
    path_ = resolve(name);
  } catch (const std::filesystem::filesystem_error& error) {
    name_.fail("can't be opened: " + error.code().message());
  }
}

void DatabaseFile::check() const {
  refuseOthers();
  std::error_code problem;
  const auto links = std::filesystem::hard_link_count(path_, problem);
  if (problem) name_.fail("can't be opened: " + problem.message());
  if (links > 1)
    name_.fail(
        "has more than one hard link, and its write-ahead log is next to one of them: remove the others");
}

void DatabaseFile::refuseOthers() const {
  if (isOtherThanAFile(path_)) name_.fail("can't be opened: it is not a regular file");
}

DatabaseLock::DatabaseLock(const DatabaseFile& database, std::string_view suffix) {
  database.refuseOthers();
  const std::string file = database.path().string() + std::string{suffix};
  try {
    lock_.emplace(file, database.path());
  } catch (const LockedFile::OpenFailed& problem) {
    database.name().fail("can't be opened, because its lock file " + file +
                         " can't be opened: " + problem.code().message());
  } catch (const std::system_error& problem) {
    database.name().fail(problem.code() == std::errc::operation_would_block
                             ? "is in use by another process"
                             : "can't be locked: " + problem.code().message());
  }
}

}  // namespace tally::detail
