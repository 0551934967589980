#pragma once

#include <mutex>

#include <tally/stop_token.h>

namespace tally::detail {

/// Ends a wait of a thread that waits with token(). Thread-safe.
class Waker {
 public:
  void wake() {
    const std::lock_guard lock{mutex_};
    source_.request_stop();
  }

  /// For the next wait, which ends immediately if wake() was called since the last reset().
  [[nodiscard]] StopToken token() const {
    const std::lock_guard lock{mutex_};
    return source_.get_token();
  }

  /// Returns whether wake() was called.
  bool reset() {
    const std::lock_guard lock{mutex_};
    if (!source_.stop_requested()) return false;
    source_ = StopSource{};
    return true;
  }

 private:
  mutable std::mutex mutex_;
  StopSource source_{};
};

}  // namespace tally::detail
