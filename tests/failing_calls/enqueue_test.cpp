// Enqueuing in a transaction of the application.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <tally/outbox.h>
#include <tally/outbox_sqlite.h>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "failing_calls/support/search.h"
#include "outbox/failed_report.h"
#include "wire/temporary_folder.h"

namespace tally::test {

namespace {

using Database = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;

Database openDatabase(const std::filesystem::path& file) {
  sqlite3* opened = nullptr;
  sqlite3_open(file.c_str(), &opened);
  return {opened, sqlite3_close};
}

bool execute(const Database& database, const char* sql) {
  return sqlite3_exec(database.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

/// Whether the transaction has committed.
bool enqueueInATransaction(const Database& database, const std::vector<OutboxReport>& reports) {
  return execute(database, "BEGIN IMMEDIATE") && enqueueAll(database.get(), "shop", reports).has_value() &&
         execute(database, "COMMIT");
}

std::size_t waitingIn(Outbox& outbox) {
  const auto domains = outbox.status();
  return domains.empty() ? 0 : domains.front().waiting;
}

}  // namespace

TEST(EachFailingCall, IsHandledByATransactionThatEnqueues) {
  const auto scenario = [](Trial& trial) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "outbox";
    Outbox outbox{"sqlite:" + file.string()};
    outbox.migrate();
    const std::vector<OutboxReport> reports{failedReport("pr_1", "first"), failedReport("pr_2", "second")};
    Database database = openDatabase(file);
    bool hasCommitted = false;
    const std::string thrown =
        trial.attempt([&] { hasCommitted = enqueueInATransaction(database, reports); });
    trial.check(!trial.isClean() || hasCommitted,
                "a transaction does not commit, although no call fails: " + thrown);
    if (sqlite3_get_autocommit(database.get()) == 0) execute(database, "ROLLBACK");
    // SQLite keeps a lock that it could not release until the connection is closed.
    if (trial.place() != nullptr && trial.place()->call == Call::lock) database = openDatabase(file);
    const std::size_t waiting = waitingIn(outbox);
    trial.check(waiting == (hasCommitted ? reports.size() : 0),
                std::to_string(waiting) + " reports wait after a transaction that has " +
                    (hasCommitted ? "" : "not ") + "committed");
    const bool isNextCommitted = enqueueInATransaction(database, reports);
    trial.check(isNextCommitted && waitingIn(outbox) == reports.size(),
                "the next transaction does not enqueue the reports once");
  };
  testFailingCalls(scenario);
}

}  // namespace tally::test
