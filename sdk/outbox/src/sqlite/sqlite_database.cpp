#include "sqlite/sqlite_database.h"

#include <chrono>

#include "sqlite/sqlite_schema.h"

namespace tally::detail {

namespace {

/// A new file would be an outbox that nobody has asked for.
DatabaseFile existing(DatabaseFile file, SqliteDatabase::Missing missing) {
  refuseNetwork(file);
  if (missing == SqliteDatabase::Missing::fails) file.check();
  return file;
}

}  // namespace

/// Others write for a moment only; so long, one may be held up by the disk. The log grows to 16 MiB instead
/// of 4 before it is copied into the database, since most pages change several times while a worker sends.
SqliteDatabase::SqliteDatabase(const DatabaseFile& file, std::shared_ptr<Clock> clock, Missing missing)
    : clock_(std::move(clock)), connection_(existing(file, missing)) {
  connection_.execute("PRAGMA busy_timeout = 10000");
  connection_.execute("PRAGMA synchronous = FULL");
  (void)connection_.number("PRAGMA wal_autocheckpoint = 4000");
  file.check();
  if (missing == Missing::fails) checkSchema(connection_);
}

void SqliteDatabase::migrate() {
  const std::scoped_lock lock{mutex_};
  migrateSchema(connection_);
}

/// Not systemClock(), which stands still while the machine is suspended.
Instant SqliteDatabase::now() const {
  return clock_ ? clock_->now()
                : std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now());
}

}  // namespace tally::detail
