#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tally/outbox_postgres.h>

#include <gtest/gtest.h>
#include <libpq-fe.h>

#include "failed_report.h"
#include "postgres_server.h"

namespace tally::test {

/// A connection of a test.
class Session {
 public:
  explicit Session(const std::string& url);

  operator PGconn*() const { return connection_.get(); }

  /// Executes statements, and returns the values of the last one, row by row. An error is its SQLSTATE
  /// followed by the message: `22023: tally.enqueue: id is missing`.
  std::vector<std::string> run(const std::string& sql) const;

  /// The only value.
  std::string value(const std::string& sql) const;

 private:
  struct Finish {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  std::unique_ptr<PGconn, Finish> connection_;
};

/// Skips the test if PostgreSQL is not installed.
class PostgresTest : public testing::Test {
 protected:
  /// Another connection to the database.
  [[nodiscard]] Session connect(const std::string& role = "owner") const { return Session{url(role)}; }

  /// The connection string.
  [[nodiscard]] std::string url(const std::string& role = "owner") const { return url_ + " user=" + role; }

  void open(std::string (PostgresServer::*database)());

  std::unique_ptr<Session> session_;

 private:
  std::string url_;
};

/// With an outbox without contents.
class MigratedOutboxTest : public PostgresTest {
 protected:
  void SetUp() override { open(&PostgresServer::urlOfEmptyOutbox); }
};

/// With a new database.
class OutboxTest : public PostgresTest {
 protected:
  void SetUp() override { open(&PostgresServer::urlOfNewDatabase); }
};

}  // namespace tally::test
