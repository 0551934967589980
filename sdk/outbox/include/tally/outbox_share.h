#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <string>

#include <tally/outbox_report.h>
#include <tally/pacer_share.h>

struct pg_conn;  // PGconn, of <libpq-fe.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class ShareConnection;
}  // namespace detail

/// Creates what PostgresShare needs in the schema `tally`, and the schema itself if it is missing. Safe to
/// repeat. migrateOutbox() does the same. The connection must not be in a transaction. Throws OutboxError.
void migrateShares(pg_conn* connection);

/// A PacerShare in PostgreSQL, for processes on several machines. Set it as PacerOptions::share. The database
/// may be that of an outbox, or contain only what migrateShares() creates. An exchange is one statement
/// without session state, so a pooler such as PgBouncer may use a different connection for each exchange.
/// Thread-safe.
///
/// The role needs `USAGE` on the schema `tally` and `EXECUTE` on the function `tally.exchange_shares`, unless
/// it owns the schema.
class PostgresShare final : public PacerShare {
 public:
  /// `database` is a connection string or URI of libpq. The first exchange() connects, and so does the next
  /// exchange() after the connection is lost. Unless `database` specifies otherwise, connecting may take up
  /// to 5 seconds. `domain` is the application's label for one account: all processes that use its keys pass
  /// the same label, such as the domain of an outbox. Throws std::invalid_argument if the label is empty or
  /// contains a NUL character, or if the connection string can't be read.
  PostgresShare(std::string database, std::string domain);
  ~PostgresShare() override;

  /// A random name of 32 hexadecimal digits.
  [[nodiscard]] std::string newProcess() override;

  /// Throws OutboxError if the database can't be reached, does not respond within 5 seconds, or refuses the
  /// exchange.
  [[nodiscard]] ShareReply exchange(const ShareRequest& request) override;

 private:
  std::unique_ptr<detail::ShareConnection> connection_;
  const std::string domain_;
};

}  // namespace tally
