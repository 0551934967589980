#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "sqlite/sqlite_database.h"
#include "worker/store.h"

namespace tally::detail {

/// What the working process has: the lock, the connection, and its sessions in domains. Thread-safe.
class SqliteWork {
 public:
  SqliteWork(const DatabaseFile& file, std::shared_ptr<Clock> clock, const WorkerDescription& description);

  [[nodiscard]] SqliteDatabase& database() noexcept { return database_; }
  [[nodiscard]] const std::string& incarnation() const noexcept { return incarnation_; }

  /// Throws SessionOver unless it is the session of the domain's owner. Sessions neither begin nor end while
  /// the result exists.
  [[nodiscard]] std::unique_lock<std::mutex> hold(const std::string& domain, std::uint64_t session);

  /// Empty: the domain has an owner, or there is no such domain.
  [[nodiscard]] std::optional<std::uint64_t> begin(const std::string& domain);
  void end(const std::string& domain);
  [[nodiscard]] std::optional<Heartbeat> heartbeat();
  /// Ends all sessions, and releases the lock.
  void depart();

 private:
  [[nodiscard]] std::string owner() const;

  const WorkerDescription description_;
  std::optional<DatabaseLock> lock_;
  SqliteDatabase database_;
  std::string incarnation_;
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> sessions_{};
  std::uint64_t lastSession_ = 0;
};

/// The only worker. It needs no lease, since the system releases the lock of a process that has ended.
class SqliteWorker final : public WorkerStore {
 public:
  SqliteWorker(const DatabaseFile& file, std::shared_ptr<Clock> clock, const WorkerDescription& description)
      : work_(std::make_shared<SqliteWork>(file, std::move(clock), description)) {}

  [[nodiscard]] const std::string& incarnation() const noexcept override { return work_->incarnation(); }
  [[nodiscard]] std::optional<Heartbeat> beat() override { return work_->heartbeat(); }
  bool declareDead(const Peer&) override { return false; }
  [[nodiscard]] std::unique_ptr<DomainStore> claim(const std::string& domain) override;
  void giveUp(const std::string& domain) override { work_->end(domain); }
  void depart() override { work_->depart(); }

 private:
  std::shared_ptr<SqliteWork> work_;
};

}  // namespace tally::detail
