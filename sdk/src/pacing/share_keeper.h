#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <tally/clock.h>
#include <tally/pacer_share.h>

#include "pacing/pacing.h"

namespace tally::detail {

/// Decides how many units of each limit this process holds, and exchanges that with the other processes.
///
/// The processes compare no clocks. Units that one gives up it has stopped using before it says so; another
/// may take them a window after it has seen that. A process without a new beat for its whole lease has
/// stopped too, since it stops by itself at the end of a lease that it measures from before the exchange.
/// Thread-safe.
class ShareKeeper {
 public:
  /// `pacing` must outlive this.
  ShareKeeper(Pacing& pacing, std::shared_ptr<PacerShare> share, std::chrono::milliseconds lease,
              std::chrono::milliseconds margin);

  /// Returns when to call it again. Throws only what the clock throws.
  Instant refresh(const Clock& clock);
  void leave(const Clock& clock);
  [[nodiscard]] PacerShareState state() const;

 private:
  /// When the process learned that this number of units had been freed in total.
  struct Seen {
    Instant time{};
    std::int64_t freed = 0;
  };
  struct Kept {
    SharedLimit limit{};
    std::int64_t demand = 0;   // since the last refresh
    std::int64_t want = 0;     // also what it needed before that
    std::int64_t units = 0;    // noted for this process
    std::int64_t target = 0;   // what it wants to hold
    std::int64_t claimed = 0;  // in the last exchange
    std::int64_t total = 0;    // what all may hold
    std::vector<SharePart> others{};
    std::deque<Seen> seen{};  // oldest first
  };
  struct Watched {
    std::int64_t beat = 0;
    Instant since{};
  };

  void measure(Instant now);
  void plan();
  void plan(Kept& kept) const;
  [[nodiscard]] bool wantsLess() const;
  [[nodiscard]] bool exchange(const Clock& clock, bool leaving = false);
  [[nodiscard]] ShareRequest request(Instant now, bool leaving);
  [[nodiscard]] std::vector<ShareProcess> vanished(Instant now);
  [[nodiscard]] std::vector<std::int64_t> holdLess(Instant now);
  void accept(const ShareReply& reply, Instant sent, Instant received);
  void acceptPart(Kept& kept, const ShareReply& reply, Instant received) const;
  void watch(const std::vector<ShareProcess>& processes, Instant now);
  [[nodiscard]] Instant heldUntil() const;
  [[nodiscard]] std::chrono::nanoseconds waitFor(const Kept& kept) const;
  [[nodiscard]] std::int64_t freedBefore(const Kept& kept, Instant now) const;
  [[nodiscard]] Instant nextRefresh(Instant now) const;

  Pacing& pacing_;
  const std::shared_ptr<PacerShare> share_;
  const std::chrono::milliseconds lease_;
  const std::chrono::milliseconds margin_;

  std::mutex refreshing_{};  // guards what follows
  std::string process_{};
  std::int64_t beat_ = 0;
  std::optional<Instant> acknowledged_{};  // when the last exchange that succeeded began
  std::optional<Instant> measured_{};
  std::vector<Kept> kept_{};  // as Pacing::sharedLimits()
  std::vector<ShareProcess> processes_{};
  std::map<std::string, Watched> watched_{};

  mutable std::mutex mutex_{};
  PacerShareState state_{};
};

}  // namespace tally::detail
