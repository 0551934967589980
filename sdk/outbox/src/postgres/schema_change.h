#pragma once

#include <chrono>
#include <functional>

#include "postgres/postgres_connection.h"

namespace tally::detail {

/// Executes the statements of `change`, which change the schema `tally`, in a transaction of their own.
/// Creates the schema if it is missing. One process at a time does so.
///
/// Waits only a moment for locks, then rolls back and begins again, at most until `atMost` has passed. While
/// it waits, everyone who needs what it has already locked waits as well, and those who take locks in another
/// order can end in a deadlock. Throws OutboxError.
void changeSchema(PostgresConnection& database, const std::function<void()>& change,
                  std::chrono::milliseconds atMost = std::chrono::minutes{1});

}  // namespace tally::detail
