#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tally/outbox_postgres.h>

#include <gtest/gtest.h>
#include <libpq-fe.h>

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

/// A new database with an outbox for each test. Skips the test if PostgreSQL is not installed.
class OutboxTest : public testing::Test {
 protected:
  OutboxTest();

  /// Another connection to the database.
  [[nodiscard]] Session connect(const std::string& role = "owner") const;

  /// The connection string.
  [[nodiscard]] std::string url(const std::string& role = "owner") const;

  /// Begins without the schema.
  std::string database_;
  std::unique_ptr<Session> session_;
};

/// The same with the schema.
class MigratedOutboxTest : public OutboxTest {
 protected:
  void SetUp() override;
};

/// A report that can be sent.
[[nodiscard]] OutboxReport failedReport(std::string id, std::string key = {});

}  // namespace tally::test
