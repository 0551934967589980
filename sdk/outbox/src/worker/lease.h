#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <utility>

#include <tally/clock.h>

namespace tally::detail {

/// How long a worker may rely on what it owns, on its own clock. Thread-safe.
class Lease {
 public:
  /// `now` is a clock that also runs while the machine is suspended. Thread-safe.
  explicit Lease(std::function<Instant()> now) : now_(std::move(now)) {}

  [[nodiscard]] Instant now() const { return now_(); }

  /// A heartbeat that was sent before `until` minus the lease has been answered.
  void extend(Instant until) { until_ = std::max(until_.load(), until); }
  void end() { until_ = Instant::min(); }

  /// Whether an attempt that takes this long ends within the lease.
  [[nodiscard]] bool covers(std::chrono::nanoseconds attempt) const {
    const Instant until = until_;
    return until != Instant::min() && now_() <= until - attempt;
  }

 private:
  std::function<Instant()> now_;
  std::atomic<Instant> until_{Instant::min()};
};

}  // namespace tally::detail
