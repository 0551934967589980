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

/// Runs threads one at a time on a service's clock, so that a run depends on its seed alone. A thread yields
/// when it waits. The thread that waits for the earliest time runs next; the seed breaks ties. Waiting only
/// for time takes no real time.
///
/// As a Clock, it serves the threads that it runs.
class Schedule final : public Clock {
 public:
  Schedule(std::shared_ptr<fake::VirtualClock> clock, std::uint64_t seed)
      : clock_(std::move(clock)), random_(seed) {}

  /// Returns when all threads have ended. Aborts the process on a deadlock.
  void run(const std::vector<std::function<void()>>& works);

  [[nodiscard]] Instant now() const override { return clock_->now(); }
  bool sleepUntil(Instant time, std::stop_token stop) override;
  bool awaitUntil(Instant time, std::stop_token stop) override { return sleepUntil(time, std::move(stop)); }

 private:
  /// When a thread resumes, and its rank among threads that resume at the same time.
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
