#include "postgres/schema_change.h"

#include <thread>

namespace tally::detail {

namespace {

/// With stricter isolation, this would not see what the change that it waits for has done. The number only
/// has to differ from those of other applications. Waiting for another change blocks nobody, so the time
/// limit comes after it. It is shorter than the second after which the server looks for deadlocks.
constexpr const char* begin =
    "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL client_min_messages = warning; SET LOCAL "
    "standard_conforming_strings = on;"
    " SET LOCAL search_path = pg_catalog, pg_temp; SELECT pg_advisory_xact_lock(7810765217);"
    " SET LOCAL lock_timeout = 250";

/// Creates the schema, or becomes its owner for this transaction: otherwise, what one member of the owner's
/// role creates would belong to that member, whom the functions of the owner and other members can't replace.
void beOwner(PostgresConnection& database) {
  constexpr const char* owner = "SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'tally'";
  const PostgresResult found = database.execute(owner);
  if (found.rows() == 0) {
    database.execute("CREATE SCHEMA tally");
    return;
  }
  const std::string role{found.text(0, 0)};
  const PostgresResult became = database.query("SELECT set_config('role', $1, true)", {role});
  if (!became.isOk())
    throw OutboxError{
        "the schema tally belongs to the role " + role + ": migrate with that role, or one of its members",
        became.errorField(PG_DIAG_SQLSTATE)};
}

void changeOnce(PostgresConnection& database, const std::function<void()>& change) {
  try {
    database.execute(begin);
    beOwner(database);
    change();
    database.execute("COMMIT");
  } catch (...) {
    if (database.isInTransaction()) (void)database.query("ROLLBACK", {});
    throw;
  }
}

bool saysThatOthersHaveLocks(const OutboxError& error) {
  return error.sqlState() == "55P03" || error.sqlState() == "40P01";  // lock_not_available, deadlock_detected
}

}  // namespace

void changeSchema(PostgresConnection& database, const std::function<void()>& change,
                  std::chrono::milliseconds atMost) {
  if (database.isInTransaction())
    throw OutboxError{"the schema can't be migrated while the connection is in a transaction", {}};
  const auto until = std::chrono::steady_clock::now() + atMost;
  while (true) {
    try {
      return changeOnce(database, change);
    } catch (const OutboxError& error) {
      if (!saysThatOthersHaveLocks(error)) throw;
      if (std::chrono::steady_clock::now() >= until)
        throw OutboxError{"another transaction still uses the schema tally: end it, then migrate again",
                          error.sqlState()};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
  }
}

}  // namespace tally::detail
