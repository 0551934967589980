#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <stop_token>
#include <vector>

#include <tally/clock.h>

namespace tally::fake {

/// A clock that moves only when told to: a wait returns immediately and advances time to its end. Thirty days
/// pass in no real time, and every run is the same.
///
/// Frozen, the clock moves only by advance(), and a wait blocks its thread until then: a test can hold back
/// one thread while others continue.
///
/// Running, it moves in real time, and waits last as long as requested: for a service that other processes
/// use.
///
/// Thread-safe. If several threads wait, time moves to the latest end.
class VirtualClock final : public Clock {
 public:
  /// The time, and how the clock continues from there.
  struct Reading {
    Instant time{};
    bool frozen = false;
    bool running = false;

    bool operator==(const Reading&) const = default;
  };

  /// How many waits slept() keeps.
  static constexpr std::size_t waitsKept = 10'000;

  explicit VirtualClock(Instant start) : now_(start) {}

  [[nodiscard]] Instant now() const override;

  /// Moves time forward to `time`, unless a stop has been requested. Frozen or running: blocks until either.
  bool sleepUntil(Instant time, std::stop_token stop) override;

  /// Blocks until `time`, to which other threads move the clock or which it reaches by running, or until a
  /// stop.
  bool awaitUntil(Instant time, std::stop_token stop) override;

  /// Like sleepUntil(), but for time that passes without a requested wait, such as while a response is in
  /// flight: slept() does not include it.
  bool passUntil(Instant time, const std::stop_token& stop);

  /// Moves time forward. Throws std::invalid_argument for a negative duration, and beyond Instant::max().
  void advance(std::chrono::nanoseconds duration);

  /// Stops time: from now on, only advance() moves it, and waits block.
  void freeze();

  /// Ends freeze(), for waits in progress too.
  void thaw();

  [[nodiscard]] bool frozen() const;

  /// From now on, time passes in real time, except while the clock is frozen.
  void run();

  [[nodiscard]] bool running() const;

  /// Blocks until at least `count` threads are blocked in a wait, so that a test knows when to call
  /// advance(). A wait that has been stopped, or whose time has come, no longer counts.
  void awaitSleepers(std::size_t count) const;

  /// The requested lengths of the waits of sleepUntil() that took time, oldest first. Keeps the last
  /// `waitsKept`.
  [[nodiscard]] std::vector<std::chrono::nanoseconds> slept() const;

  [[nodiscard]] Reading reading() const;

  /// Sets the clock to an earlier reading, or to that of another clock, and continues in the same way. Time
  /// may go back: use it to restore a service while nothing runs.
  void set(const Reading& reading);

  /// Sets only the time; a frozen or running clock stays so.
  void set(Instant time);

 private:
  [[nodiscard]] Instant present() const;
  void wait(std::unique_lock<std::mutex>& lock, Instant time, const std::stop_token& stop);
  void block(std::unique_lock<std::mutex>& lock, Instant time, const std::stop_token& stop);
  void leapTo(Instant time);

  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  Instant now_;
  bool frozen_ = false;
  bool running_ = false;
  std::chrono::steady_clock::time_point since_{};  // when `now_` was the present, while the clock is running
  std::multimap<Instant, std::stop_token> sleepers_{};  // the waits that block a thread, by their ends
  std::deque<std::chrono::nanoseconds> slept_{};
};

}  // namespace tally::fake
