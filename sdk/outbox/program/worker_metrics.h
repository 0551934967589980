#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <tally/metrics_observer.h>
#include <tally/observer.h>
#include <tally/outbox.h>

namespace tally::detail {

/// Why a worker can't be relied on; empty if it can.
using HealthProblem = std::string;

/// What a worker has done, and whether it takes part. Thread-safe.
class WorkerMetrics {
 public:
  /// `domains`: those of the worker.
  WorkerMetrics(const std::vector<std::string>& domains, std::chrono::milliseconds lease);

  void count(const OutboxEvent& event);

  /// Receives the calls of a domain's client. May outlive this.
  [[nodiscard]] std::shared_ptr<Observer> observer(const std::string& domain) const;

  /// All metrics in the text format of Prometheus. `status`: what waits, if it is known.
  [[nodiscard]] std::string text(const std::optional<std::vector<OutboxStatus>>& status) const;

  /// The worker is healthy while it takes part, and a heartbeat was answered within the lease.
  [[nodiscard]] HealthProblem health() const;

 private:
  using Kind = OutboxEvent::Kind;
  static constexpr std::size_t kinds = static_cast<std::size_t>(Kind::heartbeat) + 1;

  struct Domain {
    std::array<std::uint64_t, kinds> events{};
    bool isOwned = false;
    std::shared_ptr<std::atomic<std::int64_t>> inFlight = std::make_shared<std::atomic<std::int64_t>>(0);
  };

  struct Family;

  std::chrono::milliseconds lease_;
  std::shared_ptr<MetricsObserver> calls_ = std::make_shared<MetricsObserver>();
  mutable std::mutex mutex_{};
  std::map<std::string, Domain> domains_{};
  std::array<std::uint64_t, kinds> events_{};  // that are about no domain
  bool takesPart_ = false;
  std::string trouble_ = "it has not started";
  std::chrono::steady_clock::time_point heartbeat_{};
};

}  // namespace tally::detail
