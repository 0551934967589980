#include <stdexcept>
#include <string>

#include <tally/outbox_sqlite.h>

#include <sqlite3.h>

#include "sqlite/sqlite_schema.h"
#include "sqlite/sqlite_tables.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

using detail::SqliteConnection;

detail::DatabaseName nameOfDatabase(sqlite3* connection) {
  if (connection == nullptr) throw std::invalid_argument{"tally: the connection to SQLite is null"};
  const char* const file = sqlite3_db_filename(connection, "main");
  return {detail::outboxKind, file == nullptr || *file == '\0' ? "in memory" : file};
}

/// What is written in a transaction of the application, or in one of its own. Rolled back unless it is
/// released.
class SqliteSavepoint {
 public:
  explicit SqliteSavepoint(SqliteConnection& connection) : connection_(connection) {
    connection.execute("SAVEPOINT tally_enqueue");
  }
  SqliteSavepoint(const SqliteSavepoint&) = delete;
  SqliteSavepoint& operator=(const SqliteSavepoint&) = delete;

  /// After some failures, SQLite has already rolled back everything.
  ~SqliteSavepoint() {
    if (isReleased_ || !connection_.isInTransaction()) return;
    try {
      connection_.execute("ROLLBACK TO tally_enqueue; RELEASE tally_enqueue");
    } catch (const std::exception&) {
      // Or there is no memory for an OutboxError. The application rolls back.
    }
  }

  void release() {
    connection_.execute("RELEASE tally_enqueue");
    isReleased_ = true;
  }

 private:
  SqliteConnection& connection_;
  bool isReleased_ = false;
};

}  // namespace

void migrateOutbox(sqlite3* connection) {
  SqliteConnection database{connection, nameOfDatabase(connection)};
  detail::migrateSchema(database);
}

Result<std::uint64_t> enqueue(sqlite3* connection, std::string_view domain, const OutboxReport& report,
                              const EnqueueOptions& options) {
  const auto numbers = enqueueAll(connection, domain, {&report, 1}, options);
  if (!numbers) return numbers.error();
  return numbers->front();
}

Result<std::vector<std::uint64_t>> enqueueAll(sqlite3* connection, std::string_view domain,
                                              std::span<const OutboxReport> reports,
                                              const EnqueueOptions& options) {
  SqliteConnection database{connection, nameOfDatabase(connection)};
  detail::checkSchema(database);
  SqliteSavepoint savepoint{database};
  detail::SqliteTables tables{database};
  auto numbers = tables.enqueueAll(
      domain, reports, options,
      std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now()));
  if (numbers) savepoint.release();
  return numbers;
}

}  // namespace tally
