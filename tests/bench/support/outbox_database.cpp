#include "bench/support/outbox_database.h"

#include <stdexcept>

#include <tally/outbox_postgres.h>

#include "outbox/postgres_server.h"

namespace tally::bench {

namespace {

using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

Result checked(PGconn* connection, PGresult* result) {
  Result owned{result, &PQclear};
  const ExecStatusType status = PQresultStatus(owned.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_COPY_IN)
    throw std::runtime_error{PQerrorMessage(connection)};
  return owned;
}

}  // namespace

OutboxDatabase::OutboxDatabase() : url_(test::PostgresServer::instance().urlOfNewDatabase()) {
  connection_.reset(PQconnectdb(url_.c_str()));
  migrateOutbox(connection());
}

std::string OutboxDatabase::run(const std::string& sql) const {
  const Result result = checked(connection(), PQexec(connection(), sql.c_str()));
  return PQntuples(result.get()) == 0 ? std::string{} : PQgetvalue(result.get(), 0, 0);
}

void OutboxDatabase::copy(const std::string& command, const std::string& lines) const {
  (void)checked(connection(), PQexec(connection(), command.c_str()));
  if (PQputCopyData(connection(), lines.data(), static_cast<int>(lines.size())) != 1 ||
      PQputCopyEnd(connection(), nullptr) != 1)
    throw std::runtime_error{PQerrorMessage(connection())};
  while (PGresult* const result = PQgetResult(connection()))
    (void)checked(connection(), result);
}

}  // namespace tally::bench
