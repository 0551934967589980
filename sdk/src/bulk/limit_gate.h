#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>

#include <tally/clock.h>
#include <tally/options.h>

#include "time/sliding_window.h"

namespace tally::detail {

/// Narrows the calls that a limit of the service refuses, instead of letting each call back off on its own.
/// Without refusals it is open, and any number of calls may begin at once.
///
/// A refused rate: calls begin one by one, at a rate that each refusal lowers and that rises with time. A
/// refused concurrency: fewer calls are in progress, and one more each second.
class LimitGate {
 public:
  /// `backoff` must outlive this. Without any success, calls begin no more seldom than its cap says.
  explicit LimitGate(const Backoff& backoff) : backoff_(backoff) {}

  /// Whether a call may begin.
  [[nodiscard]] bool isOpen(Instant now) const { return now >= next_ && begun_ < most(now); }
  /// When one may, if none ends before.
  [[nodiscard]] Instant opens(Instant now) const;

  /// A call begins.
  void begin(Instant now);
  /// It has ended.
  void end() noexcept { --begun_; }
  /// The service has let a call pass.
  void pass(Instant now);

  /// The service has refused a call.
  struct Refusal {
    Instant begun{};           // of the call
    bool concurrency = false;  // otherwise a rate
    std::chrono::nanoseconds retryAfter{0};
    double jitter = 0;  // from 0 to 1
  };
  /// After end() of that call.
  void refuse(const Refusal& refusal, Instant now);

  /// Rates hold back no call beyond that time.
  void openBy(Instant time) noexcept { next_ = std::min(next_, time); }

  /// The first refusal since the last pass(); nullopt if there is none.
  [[nodiscard]] std::optional<Instant> blockedSince() const noexcept { return blockedSince_; }

 private:
  /// Calls per second.
  struct Rate {
    double lowered = 0;
    std::optional<Instant> rises{};  // from the first pass() on
    bool searching = false;          // quickly, since the limit is not known

    [[nodiscard]] double at(Instant now) const;
  };
  struct Most {
    std::size_t lowered = 0;
    Instant since{};
  };

  [[nodiscard]] std::size_t most(Instant now) const;
  void lowerRate(const Refusal& refusal, Instant now);

  const Backoff& backoff_;
  std::size_t begun_ = 0;
  Instant next_ = Instant::min();
  std::optional<Rate> rate_{};
  std::optional<Most> most_{};
  SlidingWindow passed_{std::chrono::seconds{1}, 256};
  Instant latest_ = Instant::min();
  bool passedSinceNarrowed_ = false;
  Instant narrowed_ = Instant::min();
  std::optional<Instant> blockedSince_{};
};

}  // namespace tally::detail
