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
  // `dbname` is the whole connection string. It overrides the settings before it, with which a silent network
  // ends a statement, also one whose reply is awaited, but not the one after it: texts are sent as UTF-8.
  constexpr std::array keywords{"connect_timeout",
                                "tcp_user_timeout",
                                "keepalives_idle",
                                "keepalives_interval",
                                "dbname",
                                "client_encoding",
                                static_cast<const char*>(nullptr)};
  const std::array values{"5", "10000", "5", "5", url_.c_str(), "UTF8", static_cast<const char*>(nullptr)};
  std::unique_ptr<PGconn, Finish> made{PQconnectdbParams(keywords.data(), values.data(), 1)};
  if (PQstatus(made.get()) != CONNECTION_OK)
    throw OutboxError{PostgresConnection{made.get()}.errorOf(PostgresResult{nullptr}).what(), "08001"};
  PQsetNoticeProcessor(made.get(), [](void*, const char*) {}, nullptr);
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
