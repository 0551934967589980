#include "postgres/postgres_session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <thread>

#include "postgres/server_state.h"

namespace tally::detail {

namespace {

constexpr int mostRepetitions = 10;
constexpr std::chrono::milliseconds longestPause{50};

/// Whether the statement was rolled back because of another transaction. With stricter isolation than READ
/// COMMITTED as the default of a database, this is common.
bool isConflict(const PostgresResult& result) {
  const std::string state = result.errorField(PG_DIAG_SQLSTATE);
  return state == "40001" || state == "40P01";  // serialization_failure, deadlock_detected
}

}  // namespace

PGconn* PostgresSession::connection() {
  if (!isLost()) return connection_.get();
  // With these, a silent network ends a statement, even while its reply is awaited.
  static constexpr ConnectionOption defaults[] = {{"connect_timeout", "5"},
                                                  {"tcp_user_timeout", "10000"},
                                                  {"keepalives_idle", "5"},
                                                  {"keepalives_interval", "5"}};
  OwnConnection made = openConnection(url_, defaults);
  if (PQstatus(made.get()) != CONNECTION_OK)
    throw OutboxError{PostgresConnection{made.get()}.errorOf(PostgresResult{nullptr}).what(), "08001"};
  connection_ = std::move(made);
  return connection_.get();
}

PostgresResult PostgresSession::query(const char* sql,
                                      std::initializer_list<std::optional<std::string>> parameters) {
  PostgresConnection database{connection()};
  PostgresResult result = database.query(sql, parameters);
  std::chrono::milliseconds pause{1};  // a statement may fail until the other transaction has ended
  for (int repetition = 0; repetition < mostRepetitions && isConflict(result); ++repetition) {
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, longestPause);
    result = database.query(sql, parameters);
  }
  if (result.isOk()) return result;
  const OutboxError error = database.errorOf(result);
  // An error of libpq: the reply may still come, and would be mistaken for that of the next statement.
  const bool isUnknown = error.sqlState().empty();
  if (isUnknown || saysThatServerIsStandby(error.sqlState())) disconnect();
  throw error;
}

/// Servers that shut down, crash or fail over announce this before they close.
bool PostgresSession::isLost() const {
  return connection_ == nullptr || PQstatus(connection_.get()) != CONNECTION_OK;
}

}  // namespace tally::detail
