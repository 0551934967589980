#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "journal_file.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tally::detail {

/// A connection to a journal's file, for one thread. Functions throw JournalError, which names the file.
class SqliteConnection {
 public:
  /// Opens or creates the file, which must outlive this.
  explicit SqliteConnection(const JournalFile& file);
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;
  ~SqliteConnection();

  /// Executes statements without results.
  void execute(const char* sql);

  /// What a statement returns: the first value of its first row; 0 or empty without one.
  [[nodiscard]] std::int64_t number(const char* sql);
  [[nodiscard]] std::string text(const char* sql);

  /// How many rows the last statement changed.
  [[nodiscard]] int changes() const;

  /// Throws what the last function of SQLite has failed with.
  [[noreturn]] void fail() const;
  [[noreturn]] void fail(const std::string& what) const { failJournal(file_.name(), what); }

 private:
  friend class SqliteStatement;
  friend class SqliteTransaction;

  const JournalFile& file_;
  sqlite3* database_ = nullptr;
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
