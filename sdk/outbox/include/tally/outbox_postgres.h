#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/report.h>
#include <tally/result.h>
#include <tally/timestamp.h>

struct pg_conn;  // PGconn, of <libpq-fe.h>

namespace [[gnu::visibility("default")]] tally {

/// The database of an outbox can't be used, or refuses a statement. `what()` gives the reason in one line. A
/// transaction in which it happens is to be rolled back.
class OutboxError : public std::runtime_error {
 public:
  OutboxError(const std::string& what, std::string sqlState)
      : std::runtime_error(what), sqlState_(std::move(sqlState)) {}

  /// The five characters with which PostgreSQL identifies the error, such as `40001`; empty without one.
  [[nodiscard]] const std::string& sqlState() const noexcept { return sqlState_; }

 private:
  std::string sqlState_;
};

std::ostream& operator<<(std::ostream& out, const OutboxError& error);

/// Which reports of a domain are sent first. Reports on one object keep their order.
enum class ReportPriority : std::uint8_t {
  normal,
  low,  ///< For a back-fill: after all normal ones.
};

/// The readable name, such as `low`.
[[nodiscard]] std::string_view toString(ReportPriority priority) noexcept;
std::ostream& operator<<(std::ostream& out, ReportPriority priority);

/// A report, and how it is enqueued.
struct OutboxReport {
  Report report{};
  /// Makes enqueuing idempotent: the same key with the same report is no second report, and the same key with
  /// another one is refused. Empty: each call enqueues a report.
  std::string key{};
  std::string connectedAccount{};  ///< RequestOptions::connectedAccount; empty: none.
};

std::ostream& operator<<(std::ostream& out, const OutboxReport& value);

struct EnqueueOptions {
  std::optional<Timestamp> notBefore{};  ///< When it may be sent, on the clock of the database.
  ReportPriority priority = ReportPriority::normal;
};

std::ostream& operator<<(std::ostream& out, const EnqueueOptions& value);

/// Creates the schema `tally` of an outbox, or brings it up to date. Safe to repeat, and to run in several
/// processes at once. Workers of the previous version continue. The connection must not be in a transaction.
/// The role needs the right to create a schema, or to own the schema `tally`. Throws OutboxError.
void migrateOutbox(pg_conn* connection);

/// Enqueues a report in the transaction of the connection, if there is one: it is sent if and only if that
/// commits. `domain` is the application's label for one account and mode. Returns the number of the report in
/// the outbox.
///
/// A report that can't be sent, or a key that another report has, is an error of ErrorKind::invalidParameter
/// whose `param` names the member. A report with a wrong member is refused without a statement, so the
/// transaction can continue; after other errors, it is to be rolled back. Throws OutboxError for errors of
/// the database: with the state `40001`, the transaction can be repeated.
///
/// Waits while another transaction is open that has enqueued a report on the same object, or the first one of
/// the domain. Uses the connection in the calling thread, without prepared statements or other state of a
/// session.
[[nodiscard]] Result<std::uint64_t> enqueue(pg_conn* connection, std::string_view domain,
                                            const OutboxReport& report, const EnqueueOptions& options = {});

/// enqueue() for many reports in one statement: all or none. Those on one object keep their order. Returns
/// their numbers in the order of `reports`.
[[nodiscard]] Result<std::vector<std::uint64_t>> enqueueAll(pg_conn* connection, std::string_view domain,
                                                            std::span<const OutboxReport> reports,
                                                            const EnqueueOptions& options = {});

}  // namespace tally
