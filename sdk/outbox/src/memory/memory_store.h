#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memory/memory_database.h"
#include "worker/store.h"

namespace tally::detail {

/// An outbox in memory. Several stores of one database are like several processes.
class MemoryStore final : public OutboxStore {
 public:
  explicit MemoryStore(std::shared_ptr<MemoryDatabase> database) : database_(std::move(database)) {}

  void migrate() override {}
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
  [[nodiscard]] std::unique_ptr<WorkerStore> enroll(const WorkerDescription& description) override;
  [[nodiscard]] std::shared_ptr<void> listen(
      const std::function<void(std::string_view domain)>& wake) override;

 private:
  std::shared_ptr<MemoryDatabase> database_;
};

}  // namespace tally::detail
