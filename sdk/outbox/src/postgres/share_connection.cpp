#include "postgres/share_connection.h"

#include <new>
#include <utility>

#include "platform/socket_wait.h"

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

void ShareConnection::open() {
  static constexpr ConnectionOption defaults[] = {{"connect_timeout", "5"}};
  connection_ = openConnection(database_, defaults);
  if (connection_ == nullptr) throw std::bad_alloc{};
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
