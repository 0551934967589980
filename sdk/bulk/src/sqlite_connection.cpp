#include "sqlite_connection.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <sqlite3.h>

namespace tally::detail {

/// An absolute path is neither a URI nor the name of a database in memory.
SqliteConnection::SqliteConnection(const DatabaseFile& file) : name_(file.name()) {
  const int opened =
      sqlite3_open_v2(file.path().c_str(), &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  if (opened == SQLITE_OK) return;
  const std::string message = sqlite3_errmsg(database_);
  sqlite3_close_v2(database_);
  fail("can't be opened: " + message);
}

SqliteConnection::SqliteConnection(sqlite3* database, DatabaseName name)
    : name_(std::move(name)), database_(database), isOwned_(false) {}

SqliteConnection::~SqliteConnection() {
  if (isOwned_) sqlite3_close_v2(database_);
}

void SqliteConnection::execute(const char* sql) {
  if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t SqliteConnection::number(const char* sql) {
  SqliteStatement statement{*this, sql};
  return statement.step() ? statement.number(0) : 0;
}

std::string SqliteConnection::text(const char* sql) {
  SqliteStatement statement{*this, sql};
  return statement.step() ? statement.text(0) : std::string{};
}

bool SqliteConnection::isInTransaction() const {
  return sqlite3_get_autocommit(database_) == 0;
}

void SqliteConnection::checkPlace() const {
  int hasMoved = 0;
  sqlite3_file_control(database_, nullptr, SQLITE_FCNTL_HAS_MOVED, &hasMoved);
  if (hasMoved != 0)
    fail("has been removed or replaced while it was in use: put it back before you restart this process");
}

int SqliteConnection::changes() const {
  return sqlite3_changes(database_);
}

void SqliteConnection::fail() const {
  const int code = sqlite3_errcode(database_) & 0xFF;
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) fail("is in use by another process");
  if (code == SQLITE_NOTADB) failAsForeign();
  if (code == SQLITE_CORRUPT) fail("is damaged: " + std::string{sqlite3_errmsg(database_)});
  // After a crash, SQLite may find what it could not synchronize with the disk.
  name_.fail("can't be used: " + std::string{sqlite3_errmsg(database_)},
             code == SQLITE_IOERR ? Effect::unknown : Effect::none);
}

SqliteStatement::SqliteStatement(SqliteConnection& connection, const char* sql) : connection_(connection) {
  if (sqlite3_prepare_v3(connection.database_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr) !=
      SQLITE_OK)
    connection.fail();
}

SqliteStatement::~SqliteStatement() {
  sqlite3_finalize(statement_);
}

/// SQLite takes a null pointer for NULL.
SqliteStatement& SqliteStatement::bind(int at, std::string_view text) {
  const char* const data = text.data() == nullptr ? "" : text.data();
  if (sqlite3_bind_text64(statement_, at, data, text.size(), SQLITE_STATIC, SQLITE_UTF8) != SQLITE_OK)
    connection_.fail();
  return *this;
}

SqliteStatement& SqliteStatement::bind(int at, std::uint64_t number) {
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  if (sqlite3_bind_int64(statement_, at, static_cast<std::int64_t>(std::min(number, largest))) != SQLITE_OK)
    connection_.fail();
  return *this;
}

bool SqliteStatement::step() {
  const int result = sqlite3_step(statement_);
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  sqlite3_reset(statement_);
  connection_.fail();
}

void SqliteStatement::run() {
  (void)step();
  reset();
}

void SqliteStatement::reset() {
  sqlite3_reset(statement_);  // returns the error of step() again
}

std::string SqliteStatement::text(int column) const {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (text != nullptr) return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  if (sqlite3_column_type(statement_, column) != SQLITE_NULL) connection_.fail();  // out of memory
  return {};
}

std::int64_t SqliteStatement::number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

bool SqliteStatement::isNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

SqliteTransaction::SqliteTransaction(SqliteConnection& connection) : connection_(connection) {
  connection.execute("BEGIN IMMEDIATE");
}

/// After some failures, SQLite has already rolled back.
SqliteTransaction::~SqliteTransaction() {
  if (connection_.isInTransaction())
    sqlite3_exec(connection_.database_, "ROLLBACK", nullptr, nullptr, nullptr);
}

}  // namespace tally::detail
