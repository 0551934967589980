#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tally/clock.h>

#include "worker/lease.h"
#include "worker/store.h"

namespace tally::detail {

/// A worker's part in the fleet: extends its lease, watches the others, and decides what to own. Decisions
/// rest on its own clock alone. For one thread.
class Membership {
 public:
  /// `domains`: those whose keys the worker has. The references must outlive this.
  Membership(WorkerStore& store, Lease& lease, std::chrono::nanoseconds duration,
             std::vector<std::string> domains);

  /// What is to be done after a heartbeat.
  struct Plan {
    bool isFenced = false;
    std::vector<std::string> owned{};
    std::vector<std::string> claims{};     // these have no owner, and are this worker's to take
    std::optional<std::string> release{};  // another worker is to have it
    std::vector<Peer> died{};              // these have been declared dead
  };

  /// Sends a heartbeat. Throws OutboxError if there is no answer; the lease then stays as it is.
  [[nodiscard]] Plan beat();

  /// When the next heartbeat is due, on the clock of the lease.
  [[nodiscard]] Instant due() const noexcept { return due_; }

 private:
  struct Watch {
    std::uint64_t beat = 0;
    Instant since{};
  };

  void watch(const std::vector<Peer>& peers, Plan& plan);
  void plan(const Heartbeat& heartbeat, Plan& plan);
  [[nodiscard]] std::string preferredOwner(const std::string& domain, const std::vector<Peer>& peers) const;

  WorkerStore& store_;
  Lease& lease_;
  std::chrono::nanoseconds duration_;
  std::vector<std::string> domains_;
  Instant due_ = Instant::min();
  std::optional<Instant> answered_{};         // when the last heartbeat that was answered was sent
  std::map<std::string, Watch> watches_{};    // by incarnation
  std::map<std::string, Instant> unowned_{};  // since when
  Instant mayRelease_ = Instant::min();
};

}  // namespace tally::detail
