#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <tally/outbox_report.h>
#include <tally/result.h>

struct sqlite3;  // of <sqlite3.h>

namespace [[gnu::visibility("default")]] tally {

/// Creates the tables `tally_…` of an outbox in a SQLite database, alongside those of the application, or
/// brings them up to date. Safe to repeat, and to run in several processes at once. Gives the file a
/// write-ahead log (`PRAGMA journal_mode = WAL`), so that other processes can enqueue while a worker runs.
/// The connection must not be in a transaction. Throws OutboxError. A database in memory is refused, because
/// no worker could read it.
void migrateOutbox(sqlite3* connection);

/// Enqueues a report in the transaction of the connection, if there is one. The report is sent if and only if
/// that transaction commits. `domain` is the application's label for one account and mode. Returns the number
/// of the report in the outbox.
///
/// A report that can't be sent, or a key that belongs to another report, causes an error of
/// ErrorKind::invalidParameter whose `param` names the member. The transaction can then continue. Throws
/// OutboxError for database errors, such as a full disk or another process that writes for longer than the
/// `busy_timeout` of the connection. After such an error, roll the transaction back. If a transaction reads
/// before it writes, begin it with `BEGIN IMMEDIATE`. Otherwise, SQLite does not let it write if another
/// connection has written in the meantime.
///
/// The commit survives a loss of power if `PRAGMA synchronous` is `FULL`, the default of SQLite. Uses the
/// connection in the calling thread.
[[nodiscard]] Result<std::uint64_t> enqueue(sqlite3* connection, std::string_view domain,
                                            const OutboxReport& report, const EnqueueOptions& options = {});

/// Like enqueue(), but for many reports at once: it enqueues all or none of them. Reports on one object keep
/// their order. Returns the numbers of all reports, in the order of `reports`.
[[nodiscard]] Result<std::vector<std::uint64_t>> enqueueAll(sqlite3* connection, std::string_view domain,
                                                            std::span<const OutboxReport> reports,
                                                            const EnqueueOptions& options = {});

}  // namespace tally
