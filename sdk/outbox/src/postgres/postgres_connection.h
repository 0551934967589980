#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tally/outbox_postgres.h>

#include <libpq-fe.h>

namespace tally::detail {

/// The rows that a statement returned, or the error with which it failed.
class PostgresResult {
 public:
  explicit PostgresResult(PGresult* result) : result_(result) {}

  [[nodiscard]] bool isOk() const;
  [[nodiscard]] int rows() const { return PQntuples(result_.get()); }
  [[nodiscard]] std::string_view text(int row, int column) const;
  [[nodiscard]] bool isNull(int row, int column) const {
    return PQgetisnull(result_.get(), row, column) != 0;
  }

  /// A part of the error, such as PG_DIAG_SQLSTATE; empty without one.
  [[nodiscard]] std::string errorField(int code) const;

 private:
  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  std::unique_ptr<PGresult, Clear> result_;
};

/// A connection that the application owns.
class PostgresConnection {
 public:
  /// Throws std::invalid_argument for a null pointer, and OutboxError if the connection takes texts for
  /// another encoding than UTF-8.
  explicit PostgresConnection(PGconn* connection);

  /// Executes statements, all or nothing, and returns what the last one returned. Throws OutboxError.
  PostgresResult execute(const std::string& sql);

  /// Executes one statement with parameters as text; an empty optional is NULL. Not prepared, so that a
  /// pooler may give each transaction another connection. Throws OutboxError for a parameter with a NUL
  /// character, at which libpq would end it.
  [[nodiscard]] PostgresResult query(const char* sql,
                                     std::initializer_list<std::optional<std::string>> parameters);

  /// The error of a result, or, without one, of the connection.
  [[nodiscard]] OutboxError errorOf(const PostgresResult& result) const;

  [[nodiscard]] bool isInTransaction() const {
    const PGTransactionStatusType status = PQtransactionStatus(connection_);
    return status != PQTRANS_IDLE && status != PQTRANS_UNKNOWN;  // the latter: it is closed
  }
  [[nodiscard]] int serverVersion() const { return PQserverVersion(connection_); }

 private:
  PGconn* connection_;
};

}  // namespace tally::detail
