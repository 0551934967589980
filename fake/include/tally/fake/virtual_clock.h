#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <stop_token>
#include <vector>

#include <tally/clock.h>

namespace tally::fake {

/// A clock that only moves when it is told to: a wait ends at once, and moves time forward to its end. So
/// thirty days pass in no time, and one run is like another.
///
/// Thread-safe. Where several threads wait, time moves to the latest of their ends.
class VirtualClock final : public Clock {
 public:
  /// How many waits slept() remembers.
  static constexpr std::size_t waitsKept = 10'000;

  explicit VirtualClock(Instant start) : now_(start) {}

  [[nodiscard]] Instant now() const override;

  /// Moves time forward to `time`, unless a stop was requested before.
  bool sleepUntil(Instant time, std::stop_token stop) override;

  /// Moves time forward. Throws std::invalid_argument for a negative duration.
  void advance(std::chrono::nanoseconds duration);

  /// The waits that took time, oldest first, each as long as was asked for. The oldest are forgotten when
  /// there are more than `waitsKept`.
  [[nodiscard]] std::vector<std::chrono::nanoseconds> slept() const;

 private:
  mutable std::mutex mutex_;
  Instant now_;
  std::deque<std::chrono::nanoseconds> slept_{};
};

}  // namespace tally::fake
