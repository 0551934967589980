#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "database_file.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tally::detail {

/// A connection to a database, for one thread. Functions throw the errors of its kind, which name it.
class SqliteConnection {
 public:
  /// Opens or creates the file.
  explicit SqliteConnection(const DatabaseFile& file);
  /// Uses a connection of the application, which must outlive this.
  SqliteConnection(sqlite3* database, DatabaseName name);
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;
  ~SqliteConnection();

  /// Executes statements without results.
  void execute(const char* sql);

  /// What a statement returns: the first value of its first row; 0 or empty without one.
  [[nodiscard]] std::int64_t number(const char* sql);
  [[nodiscard]] std::string text(const char* sql);

  /// Whether a transaction is open.
  [[nodiscard]] bool isInTransaction() const;

  /// Throws if the file has been removed, renamed or replaced since it was opened: nobody would find what is
  /// written to it.
  void checkPlace() const;

  /// How many rows the last statement changed.
  [[nodiscard]] int changes() const;

  /// Throws what the last function of SQLite has failed with.
  [[noreturn]] void fail() const;
  [[noreturn]] void fail(const std::string& what) const { name_.fail(what); }
  [[noreturn]] void failAsForeign() const { name_.failAsForeign(); }

 private:
  friend class SqliteStatement;
  friend class SqliteTransaction;

  DatabaseName name_;
  sqlite3* database_ = nullptr;
  bool isOwned_ = true;
};

class SqliteStatement {
 public:
  SqliteStatement(SqliteConnection& connection, const char* sql);
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;
  ~SqliteStatement();

  /// The text must live until the statement is reset.
  SqliteStatement& bind(int at, std::string_view text);
  /// Numbers beyond those of SQLite become the largest one.
  SqliteStatement& bind(int at, std::uint64_t number);

  /// Whether there is a row.
  [[nodiscard]] bool step();
  void run();
  void reset();

  // Of the row; columns from 0.
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] bool isNull(int column) const;

 private:
  SqliteConnection& connection_;
  sqlite3_stmt* statement_ = nullptr;
};

/// Rolls back unless it is committed.
class SqliteTransaction {
 public:
  explicit SqliteTransaction(SqliteConnection& connection);
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;
  ~SqliteTransaction();

  void commit() { connection_.execute("COMMIT"); }

 private:
  SqliteConnection& connection_;
};

}  // namespace tally::detail
