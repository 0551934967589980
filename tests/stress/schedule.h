#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <semaphore>
#include <stop_token>
#include <utility>
#include <vector>

#include <tally/fake/virtual_clock.h>

namespace tally::stress {

/// Runs threads one at a time on a service's clock, so that a run with many of them depends on its seed
/// alone: a thread gives way where it waits, whichever waits for the earliest moment goes on, and among those
/// of one moment the seed draws. What waits for nobody but time takes no time.
///
/// As a Clock it is for the threads that it runs.
class Schedule final : public Clock {
 public:
  Schedule(std::shared_ptr<fake::VirtualClock> clock, std::uint64_t seed)
      : clock_(std::move(clock)), random_(seed) {}

  /// Returns when all have ended. Ends the process where threads wait for each other for ever.
  void run(const std::vector<std::function<void()>>& works);

  [[nodiscard]] Instant now() const override { return clock_->now(); }
  bool sleepUntil(Instant time, std::stop_token stop) override;
  bool awaitUntil(Instant time, std::stop_token stop) override { return sleepUntil(time, std::move(stop)); }

 private:
  /// When a thread goes on, and its rank among those of that moment.
  using Turn = std::pair<Instant, std::uint64_t>;
  struct Thread {
    std::binary_semaphore go{0};
    Turn turn{};
  };
  using Lock = std::lock_guard<std::mutex>;

  void enter(Thread& thread, Instant time);
  void wake(Thread& thread);
  void letNextGo();

  static thread_local Thread* self_;

  std::shared_ptr<fake::VirtualClock> clock_;
  std::mutex mutex_{};
  std::map<Turn, Thread*> waiting_{};
  std::uint64_t random_;
};

}  // namespace tally::stress
