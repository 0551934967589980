#pragma once

#include <sqlite_connection.h>

namespace tally::detail {

extern const DatabaseKind outboxKind;

/// Creates the tables of an outbox, or brings them up to date. Not in a transaction. Throws OutboxError.
void migrateSchema(SqliteConnection& connection);

/// Throws OutboxError unless the database has the tables, in a version that this program knows.
void checkSchema(SqliteConnection& connection);

/// Throws OutboxError if the file, or its folder without one, is on another machine: locks and the memory
/// that the users of a write-ahead log share work on one machine only.
void refuseNetwork(const DatabaseFile& file);

}  // namespace tally::detail
