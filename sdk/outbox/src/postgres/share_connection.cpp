#include "postgres/share_connection.h"

#include <new>
#include <utility>

#include "platform/socket_wait.h"
#include "postgres/connection_string.h"

namespace tally::detail {

namespace {

constexpr std::chrono::seconds longest{5};

}  // namespace

ShareConnection::ShareConnection(std::string database) : database_(std::move(database)) {
  checkConnectionString(database_);
}

PostgresResult ShareConnection::query(const char* sql, const std::vector<std::string>& parameters) {
  const std::lock_guard guard{mutex_};
  try {
    if (connection_ == nullptr) open();
    send(sql, parameters);
    return receive();
  } catch (...) {
    connection_.reset();
    throw;
  }
}

/// What the caller's string says replaces the setting before it, but not the one after it: texts are sent as
/// UTF-8. Notices are for nobody; by default, libpq prints them on standard error.
void ShareConnection::open() {
  const char* const names[] = {"connect_timeout", "dbname", "client_encoding", nullptr};
  const char* const values[] = {"5", database_.c_str(), "UTF8", nullptr};
  connection_.reset(PQconnectdbParams(names, values, 1));
  if (connection_ == nullptr) throw std::bad_alloc{};
  PQsetNoticeProcessor(connection_.get(), [](void*, const char*) {}, nullptr);
  if (PQstatus(connection_.get()) != CONNECTION_OK || PQsetnonblocking(connection_.get(), 1) != 0)
    throw failure(PostgresResult{nullptr});
}

void ShareConnection::send(const char* sql, const std::vector<std::string>& parameters) {
  std::vector<const char*> values;
  values.reserve(parameters.size());
  for (const std::string& parameter : parameters)
    values.push_back(parameter.c_str());
  if (PQsendQueryParams(connection_.get(), sql, static_cast<int>(values.size()), nullptr, values.data(),
                        nullptr, nullptr, 0) == 0)
    throw failure(PostgresResult{nullptr});
}

PostgresResult ShareConnection::receive() {
  const auto until = std::chrono::steady_clock::now() + longest;
  PostgresResult last{nullptr};
  while (true) {
    const int unsent = PQflush(connection_.get());
    if (unsent < 0 || PQconsumeInput(connection_.get()) == 0) throw failure(PostgresResult{nullptr});
    while (PQisBusy(connection_.get()) == 0) {
      PGresult* const next = PQgetResult(connection_.get());
      if (next == nullptr) return last;
      last = PostgresResult{next};
      if (!last.isOk()) throw failure(last);
    }
    waitFor(unsent > 0, until);
  }
}

void ShareConnection::waitFor(bool output, std::chrono::steady_clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  if (left <= left.zero()) throw OutboxError{"the database has not responded within 5 seconds", {}};
  awaitSocket(PQsocket(connection_.get()), output, left);  // if it ends early, it is called again
}

OutboxError ShareConnection::failure(const PostgresResult& result) const {
  return PostgresConnection{connection_.get()}.errorOf(result);
}

}  // namespace tally::detail
