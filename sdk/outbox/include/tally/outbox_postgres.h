#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <tally/outbox_report.h>
#include <tally/result.h>

struct pg_conn;  // PGconn, of <libpq-fe.h>

namespace [[gnu::visibility("default")]] tally {

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
