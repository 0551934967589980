#include "sqlite/sqlite_store.h"

#include <utility>

#include "sqlite/sqlite_schema.h"
#include "sqlite/sqlite_worker.h"

namespace tally::detail {

SqliteStore::SqliteStore(const std::filesystem::path& name, std::shared_ptr<Clock> clock)
    : file_(outboxKind, name), clock_(std::move(clock)) {}

SqliteDatabase& SqliteStore::database() {
  const std::scoped_lock lock{mutex_};
  if (database_ == nullptr) database_ = std::make_unique<SqliteDatabase>(file_, clock_);
  return *database_;
}

void SqliteStore::migrate() {
  SqliteDatabase{file_, clock_, SqliteDatabase::Missing::isCreated}.migrate();
}

Result<std::vector<std::uint64_t>> SqliteStore::enqueueAll(std::string_view domain,
                                                           std::span<const OutboxReport> reports,
                                                           const EnqueueOptions& options) {
  try {
    return database().write([&](SqliteTables& tables, Instant now) {
      return tables.enqueueAll(domain, reports, options, now).value();  // an error rolls back
    });
  } catch (const Exception& refused) {
    return refused.error();
  }
}

std::uint64_t SqliteStore::ask(std::string_view action, std::uint64_t report, std::string_view note) {
  return database().write(
      [&](SqliteTables& tables, Instant now) { return tables.ask(action, report, note, now); });
}

void SqliteStore::pause(std::string_view domain, std::string_view reason) {
  database().write([&](SqliteTables& tables, Instant now) {
    tables.pause(domain, reason, now);
    return true;
  });
}

void SqliteStore::resume(std::string_view domain, std::string_view note) {
  database().write([&](SqliteTables& tables, Instant now) {
    tables.resume(domain, note, now);
    return true;
  });
}

void SqliteStore::limitWaiting(std::string_view domain, std::optional<std::uint64_t> maxWaiting) {
  database().write([&](SqliteTables& tables, Instant now) {
    tables.limitWaiting(domain, maxWaiting, now);
    return true;
  });
}

std::uint64_t SqliteStore::erase(std::string_view domain, std::string_view object, std::string_view note) {
  return database().write(
      [&](SqliteTables& tables, Instant now) { return tables.erase(domain, object, note, now); });
}

std::vector<OutboxStatus> SqliteStore::status() {
  return database().read([](SqliteTables& tables, Instant now) { return tables.status(now); });
}

std::vector<OutboxReportStatus> SqliteStore::failed(std::size_t limit) {
  return database().read([&](SqliteTables& tables, Instant now) { return tables.failed(limit, now); });
}

std::vector<OutboxReportStatus> SqliteStore::blocked(std::size_t limit) {
  return database().read([&](SqliteTables& tables, Instant now) { return tables.blocked(limit, now); });
}

std::vector<OutboxRequestStatus> SqliteStore::requests(std::size_t limit) {
  return database().read([&](SqliteTables& tables, Instant) { return tables.requests(limit); });
}

std::unique_ptr<WorkerStore> SqliteStore::enroll(const WorkerDescription& description) {
  return std::make_unique<SqliteWorker>(file_, clock_, description);
}

}  // namespace tally::detail
