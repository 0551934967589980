#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "postgres/connection_string.h"
#include "postgres/postgres_connection.h"

namespace tally::detail {

/// A connection of a store, which is made when it is needed, and again after it was lost. For one thread.
class PostgresSession {
 public:
  explicit PostgresSession(std::string url) : url_(std::move(url)) {}

  /// Executes a statement that is a transaction, again if it was rolled back because of another one. Throws
  /// OutboxError, with the state 08001 if the connection can't be made, and without one if it is lost:
  /// isLost() in both cases.
  [[nodiscard]] PostgresResult query(const char* sql,
                                     std::initializer_list<std::optional<std::string>> parameters);

  /// Whether the last statement may or may not have been executed, since the connection broke.
  [[nodiscard]] bool isLost() const;

  /// The connection, which this owns. Throws OutboxError if it can't be made.
  [[nodiscard]] PGconn* connection();

  /// Closes the connection; the next statement makes another one.
  void disconnect() { connection_.reset(); }

 private:
  std::string url_;
  OwnConnection connection_{};
};

/// Why a commit may not survive the loss of power; empty if it does.
[[nodiscard]] inline std::string lackOfDurability(PostgresSession& session) {
  return std::string{session.query("SELECT tally.lack_of_durability()", {}).text(0, 0)};
}

}  // namespace tally::detail
