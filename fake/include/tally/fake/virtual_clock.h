#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <set>
#include <stop_token>
#include <vector>

#include <tally/clock.h>

namespace tally::fake {

/// A clock that only moves when it is told to: a wait ends at once, and moves time forward to its end. So
/// thirty days pass in no time, and one run is like another.
///
/// Frozen, it moves by advance() alone, and a wait blocks its thread until then: a test holds back one thread
/// while others go on.
///
/// Running, it moves as the machine's own clock does, and waits last as long as they say: for a service that
/// is used by other processes.
///
/// Thread-safe. Where several threads wait, time moves to the latest of their ends.
class VirtualClock final : public Clock {
 public:
  /// The time, and how the clock goes on from there.
  struct Reading {
    Instant time{};
    bool frozen = false;
    bool running = false;

    bool operator==(const Reading&) const = default;
  };

  /// How many waits slept() remembers.
  static constexpr std::size_t waitsKept = 10'000;

  explicit VirtualClock(Instant start) : now_(start) {}

  [[nodiscard]] Instant now() const override;

  /// Moves time forward to `time`, unless a stop was requested before. Frozen: waits for either.
  bool sleepUntil(Instant time, std::stop_token stop) override;

  /// Waits until others have moved time there, or it has passed by itself.
  bool awaitUntil(Instant time, std::stop_token stop) override;

  /// The same as sleepUntil() for time that passes without anybody having asked to wait, as while an answer
  /// is on its way: slept() does not tell of it.
  bool passUntil(Instant time, const std::stop_token& stop);

  /// Moves time forward. Throws std::invalid_argument for a negative duration, and beyond Instant::max().
  void advance(std::chrono::nanoseconds duration);

  /// From now on waits no longer move time.
  void freeze();

  /// Waits move time again, those under way too.
  void thaw();

  [[nodiscard]] bool frozen() const;

  /// From now on time passes by itself, but not while the clock is frozen.
  void run();

  [[nodiscard]] bool running() const;

  /// Returns once at least `count` threads are blocked in a wait, so that a test can tell when to advance().
  void awaitSleepers(std::size_t count) const;

  /// The waits that took time, oldest first, each as long as was asked for. The oldest are forgotten when
  /// there are more than `waitsKept`.
  [[nodiscard]] std::vector<std::chrono::nanoseconds> slept() const;

  [[nodiscard]] Reading reading() const;

  /// Puts the clock where it was, or where another one is, and has it go on in the same way. For restoring a
  /// service while nothing runs: to whoever reads the clock before and after, time may go back.
  void set(const Reading& reading);

  /// The same, but the clock goes on as it does.
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
  std::chrono::steady_clock::time_point since_{};  // when `now_` was the present, while time passes by itself
  std::multiset<Instant> sleepers_{};              // the ends of the waits that block a thread
  std::deque<std::chrono::nanoseconds> slept_{};
};

}  // namespace tally::fake
