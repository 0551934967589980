#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include <tally/clock.h>

#include "time/saturating.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

class SystemClock final : public Clock {
 public:
  [[nodiscard]] Instant now() const override {
    return startedAt_ + (std::chrono::steady_clock::now() - start_);
  }

  bool sleepUntil(Instant time, StopToken stop) override {
    std::mutex mutex;
    std::condition_variable_any wakeUp;
    std::unique_lock lock{mutex};
    // Waits in steps of at most an hour: a wait until the end of time would overflow in the library.
    while (now() < time && !stop.stop_requested())
      wakeUp.wait_for(
          lock, stop,
          std::min<std::chrono::nanoseconds>(detail::saturatingSince(now(), time), std::chrono::hours{1}),
          [] { return false; });
    return now() >= time;
  }

  bool waitUntil(Instant time, StopToken stop) override { return sleepUntil(time, std::move(stop)); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Instant startedAt_ = std::chrono::time_point_cast<Instant::duration>(std::chrono::system_clock::now());
};

}  // namespace

std::shared_ptr<Clock> systemClock() {
  static const auto clock = std::make_shared<SystemClock>();
  return clock;
}

}  // namespace tally
