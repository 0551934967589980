#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <tally/client.h>
#include <tally/outbox.h>
#include <tally/pacer.h>
#include <tally/share_refresher.h>

#include "worker/domain_run.h"
#include "worker/lease.h"
#include "worker/maintenance.h"
#include "worker/store.h"
#include "worker/waker.h"

namespace tally::detail {

/// The pacer of the domain's client, or a new one.
[[nodiscard]] std::shared_ptr<Pacer> pacerOf(const OutboxDomain& domain);

/// The client of a domain: begins attempts only within the lease.
[[nodiscard]] Client clientOf(const OutboxDomain& domain, const OutboxOptions& options,
                              std::shared_ptr<Pacer> pacer, std::shared_ptr<const Lease> lease);

/// Owns a domain: one run after another, with pauses after trouble and while the domain is paused. For one
/// thread, but for waker().
class DomainWork {
 public:
  /// `domain` and `options` must outlive this. Throws std::invalid_argument for options of the client.
  DomainWork(std::unique_ptr<DomainStore> store, std::shared_ptr<const Lease> lease,
             const OutboxDomain& domain, const OutboxOptions& options);

  /// Does what can be done without waiting. False once the domain is no longer owned, or after a stop.
  [[nodiscard]] bool step(const StopToken& stop);
  /// Waits until there is something to do. A virtual clock moves to `timer`.
  void wait(Instant timer = Instant::max());
  /// When there is something to do, on the clock of the client; empty while only wait() can tell.
  [[nodiscard]] std::optional<Instant> due() const;

  [[nodiscard]] Waker& waker() noexcept { return waker_; }
  /// Why it has ended.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  [[nodiscard]] bool follow(DomainRun::End end, std::string problem);
  [[nodiscard]] bool pauseForKey(const std::string& problem);
  [[nodiscard]] bool isPaused();
  [[nodiscard]] Instant nextOnClock() const;
  void tell(OutboxEvent::Kind kind, const std::string& reason) const;

  std::unique_ptr<DomainStore> store_;
  std::shared_ptr<const Lease> lease_;
  const OutboxDomain& domain_;
  const OutboxOptions& options_;
  std::shared_ptr<Pacer> pacer_;
  Client client_;
  std::optional<ShareRefresher> refresher_{};  // of a share that belongs to this domain alone
  Waker waker_{};
  std::unique_ptr<DomainRun> run_{};  // null between runs
  bool isPaused_ = false;
  std::chrono::milliseconds backoff_{0};
  Instant next_ = Instant::min();  // the next run, or look whether the pause is over
  Maintenance maintenance_;        // while the domain is paused
  std::string reason_{};
};

}  // namespace tally::detail
