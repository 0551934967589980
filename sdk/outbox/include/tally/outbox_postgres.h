#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <tally/outbox_report.h>
#include <tally/result.h>

struct pg_conn;  // PGconn, of <libpq-fe.h>

namespace [[gnu::visibility("default")]] tally {

/// Creates the schema `tally` of an outbox, or brings it up to date. Safe to repeat, and to run in several
/// processes at once. Workers of the previous version continue to run. The connection must not be in a
/// transaction. The role must have the right to create a schema, or own the schema `tally`. Retries for up
/// to a minute while other transactions keep a lock on what it replaces, such as one that has read a view,
/// then fails. Throws OutboxError.
void migrateOutbox(pg_conn* connection);

/// Enqueues a report in the transaction of the connection, if there is one. The report is sent if and only if
/// that transaction commits. `domain` is the application's label for one account and mode. Returns the number
/// of the report in the outbox.
///
/// A report that can't be sent, or a key that belongs to another report, causes an error of
/// ErrorKind::invalidParameter whose `param` names the member. A report with an invalid member is refused
/// before any statement is executed, so the transaction can continue. After other errors, roll the
/// transaction back. Throws OutboxError for database errors. After an error with the state `40001`, the
/// transaction can be repeated.
///
/// Waits for any other open transaction that has enqueued a report on the same object, or the first report of
/// the domain. Uses the connection in the calling thread, without prepared statements or other session state.
[[nodiscard]] Result<std::uint64_t> enqueue(pg_conn* connection, std::string_view domain,
                                            const OutboxReport& report, const EnqueueOptions& options = {});

/// Like enqueue(), but for many reports in one statement, which enqueues all or none of them. Reports on one
/// object keep their order. Returns the numbers of all reports, in the order of `reports`.
[[nodiscard]] Result<std::vector<std::uint64_t>> enqueueAll(pg_conn* connection, std::string_view domain,
                                                            std::span<const OutboxReport> reports,
                                                            const EnqueueOptions& options = {});

}  // namespace tally
