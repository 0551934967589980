#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

#include <tally/clock.h>

#include <database_file.h>
#include <sqlite_connection.h>

#include "sqlite/sqlite_tables.h"

namespace tally::detail {

/// A file with an outbox, and one connection to it. Thread-safe. Functions throw OutboxError.
class SqliteDatabase {
 public:
  enum class Missing : bool { fails, isCreated };

  /// `clock` null: that of the machine.
  SqliteDatabase(const DatabaseFile& file, std::shared_ptr<Clock> clock, Missing missing = Missing::fails);

  void migrate();

  /// Throws if the file has been removed or replaced.
  void checkPlace() const { connection_.checkPlace(); }

  /// What `work` returns, in a transaction if it writes; nothing has been written if it throws.
  template <class F>
  auto write(F work) {
    const std::scoped_lock lock{mutex_};
    checkPlace();
    SqliteTransaction transaction{connection_};
    auto result = work(tables_, now());
    transaction.commit();
    return result;
  }
  template <class F>
  auto read(F work) {
    const std::scoped_lock lock{mutex_};
    return work(tables_, now());
  }

 private:
  [[nodiscard]] Instant now() const;

  const std::shared_ptr<Clock> clock_;
  std::mutex mutex_;
  SqliteConnection connection_;
  SqliteTables tables_{connection_};
};

}  // namespace tally::detail
