#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "postgres/connection_string.h"
#include "postgres/postgres_connection.h"

namespace tally::detail {

/// A connection of its own, which is opened when it is needed, and closed after an error. Thread-safe.
class ShareConnection {
 public:
  /// Throws std::invalid_argument for what is no connection string.
  explicit ShareConnection(std::string database);

  /// Executes one statement with parameters as text. Throws OutboxError, also if it takes longer than 5
  /// seconds: then it may still be executed.
  [[nodiscard]] PostgresResult query(const char* sql, const std::vector<std::string>& parameters);

 private:
  void open();
  void send(const char* sql, const std::vector<std::string>& parameters);
  [[nodiscard]] PostgresResult receive();
  void waitFor(bool output, std::chrono::steady_clock::time_point until);
  [[nodiscard]] OutboxError failure(const PostgresResult& result) const;

  const std::string database_;
  std::mutex mutex_{};
  OwnConnection connection_{};
};

}  // namespace tally::detail
