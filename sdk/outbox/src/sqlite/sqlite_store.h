#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sqlite/sqlite_database.h"
#include "worker/store.h"

namespace tally::detail {

/// An outbox in a file of SQLite, for one machine. Any number of processes enqueue; one works, and holds the
/// lock `-worker` beside the file.
class SqliteStore final : public OutboxStore {
 public:
  /// Opens the file with the first use. Throws OutboxError if the name can't be that of a file. `clock` null:
  /// that of the machine.
  explicit SqliteStore(const std::filesystem::path& name, std::shared_ptr<Clock> clock = nullptr);

  void migrate() override;
  /// Nothing: each connection waits until what it commits is on the disk.
  [[nodiscard]] std::string lackOfDurability() override { return {}; }
  [[nodiscard]] Result<std::vector<std::uint64_t>> enqueueAll(std::string_view domain,
                                                              std::span<const OutboxReport> reports,
                                                              const EnqueueOptions& options) override;
  std::uint64_t ask(std::string_view action, std::uint64_t report, std::string_view note) override;
  void pause(std::string_view domain, std::string_view reason) override;
  void resume(std::string_view domain, std::string_view note) override;
  void limitWaiting(std::string_view domain, std::optional<std::uint64_t> maxWaiting) override;
  std::uint64_t erase(std::string_view domain, std::string_view object, std::string_view note) override;
  [[nodiscard]] std::vector<OutboxStatus> status() override;
  [[nodiscard]] std::vector<OutboxReportStatus> failed(std::size_t limit) override;
  [[nodiscard]] std::vector<OutboxReportStatus> blocked(std::size_t limit) override;
  [[nodiscard]] std::vector<OutboxRequestStatus> requests(std::size_t limit) override;
  /// Throws OutboxError while another worker has the lock.
  [[nodiscard]] std::unique_ptr<WorkerStore> enroll(const WorkerDescription& description) override;
  /// Null: a file notifies nobody.
  [[nodiscard]] std::shared_ptr<void> listen(const std::function<void(std::string_view domain)>&) override {
    return nullptr;
  }

 private:
  [[nodiscard]] SqliteDatabase& database();

  const DatabaseFile file_;
  const std::shared_ptr<Clock> clock_;
  std::mutex mutex_;
  std::unique_ptr<SqliteDatabase> database_;
};

}  // namespace tally::detail
