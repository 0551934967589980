#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <tally/error.h>

#include "platform/locked_file.h"

namespace tally::detail {

/// What a database of SQLite holds, for messages.
struct DatabaseKind {
  std::string_view name;                                       // `journal`
  void (*throwError)(const std::string& what, Effect effect);  // of the type that its users expect
};

/// A database as messages name it.
class DatabaseName {
 public:
  DatabaseName(const DatabaseKind& kind, std::filesystem::path path);

  /// As the application specifies it.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// Throws an error about the database: `what` continues the sentence. The effect is that of the
  /// transaction.
  [[noreturn]] void fail(const std::string& what, Effect effect = Effect::none) const;
  /// It is something else.
  [[noreturn]] void failAsForeign() const;

 private:
  DatabaseKind kind_;
  std::filesystem::path path_;
};

/// The file of a database.
class DatabaseFile {
 public:
  /// Throws if the name is not that of a file.
  DatabaseFile(const DatabaseKind& kind, const std::filesystem::path& name);

  [[nodiscard]] const DatabaseName& name() const noexcept { return name_; }

  /// Absolute and without symbolic links, so that all names of the file lead to the same log and lock.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// Throws unless the file exists and has one name.
  void check() const;
  /// Throws if it exists and is not a regular file.
  void refuseOthers() const;

 private:
  DatabaseName name_;
  std::filesystem::path path_;
};

/// Locks a database until this is destroyed, by a file beside it.
class DatabaseLock {
 public:
  /// The name of the lock's file is that of the database and `suffix`. Throws if it is locked.
  DatabaseLock(const DatabaseFile& database, std::string_view suffix);

 private:
  std::optional<LockedFile> lock_{};
};

}  // namespace tally::detail
