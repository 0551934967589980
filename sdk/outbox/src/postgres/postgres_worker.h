#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "postgres/postgres_session.h"
#include "worker/store.h"

namespace tally::detail {

/// A worker of an outbox on PostgreSQL.
class PostgresWorker final : public WorkerStore {
 public:
  PostgresWorker(std::string url, const WorkerDescription& description);

  [[nodiscard]] const std::string& incarnation() const noexcept override { return incarnation_; }
  [[nodiscard]] std::optional<Heartbeat> beat() override;
  bool declareDead(const Peer& peer) override;
  [[nodiscard]] std::unique_ptr<DomainStore> claim(const std::string& domain) override;
  void giveUp(const std::string& domain) override;
  void depart() override;

 private:
  [[nodiscard]] std::optional<PostgresResult> queryUnlessLocked(
      const char* call, std::initializer_list<std::optional<std::string>> parameters);

  void requireDurability();

  std::string url_;
  PostgresSession database_;
  std::string incarnation_;
  std::string domains_;  // as an array
  std::chrono::milliseconds lease_;
  bool refusesLoss_;
  std::uint64_t beat_ = 0;  // as last acknowledged
};

}  // namespace tally::detail
