#pragma once

#include <memory>
#include <string>

#include <libpq-fe.h>

namespace tally::bench {

/// A new outbox on the PostgreSQL server of the benchmark, and a connection. Functions throw
/// std::runtime_error.
class OutboxDatabase {
 public:
  OutboxDatabase();

  [[nodiscard]] const std::string& url() const noexcept { return url_; }
  [[nodiscard]] PGconn* connection() const noexcept { return connection_.get(); }

  /// Returns the first value of the result; empty if there is none.
  std::string run(const std::string& sql) const;
  [[nodiscard]] double number(const std::string& sql) const { return std::stod(run(sql)); }
  /// Sends lines to the server after `COPY … FROM STDIN`.
  void copy(const std::string& command, const std::string& lines) const;

 private:
  std::string url_;
  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_{nullptr, &PQfinish};
};

}  // namespace tally::bench
