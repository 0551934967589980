#include "postgres_database.h"

#include <stdexcept>

#include "postgres_server.h"

namespace tally::test {

Session::Session(const std::string& url) : connection_(PQconnectdb(url.c_str())) {
  if (PQstatus(connection_.get()) != CONNECTION_OK)
    throw std::runtime_error{PQerrorMessage(connection_.get())};
  PQsetNoticeProcessor(connection_.get(), [](void*, const char*) {}, nullptr);
}

std::vector<std::string> Session::run(const std::string& sql) const {
  const std::unique_ptr<PGresult, decltype(&PQclear)> result{PQexec(connection_.get(), sql.c_str()),
                                                             &PQclear};
  if (const char* const state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE); state != nullptr)
    return {std::string{state} + ": " + PQresultErrorField(result.get(), PG_DIAG_MESSAGE_PRIMARY)};
  std::vector<std::string> values;
  for (int row = 0; row < PQntuples(result.get()); ++row)
    for (int column = 0; column < PQnfields(result.get()); ++column)
      values.emplace_back(
          PQgetisnull(result.get(), row, column) != 0 ? "NULL" : PQgetvalue(result.get(), row, column));
  return values;
}

std::string Session::value(const std::string& sql) const {
  const auto values = run(sql);
  return values.size() == 1 ? values.front() : "not one value, but " + std::to_string(values.size());
}

void PostgresTest::open(std::string (PostgresServer::*database)()) {
  if (!PostgresServer::isInstalled()) GTEST_SKIP() << "PostgreSQL is not installed";
  url_ = (PostgresServer::instance().*database)();
  session_ = std::make_unique<Session>(url_);
}

}  // namespace tally::test
