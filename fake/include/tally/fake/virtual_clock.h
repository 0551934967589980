#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <tally/clock.h>
#include <tally/fake/change_signal.h>
#include <tally/stop_token.h>

namespace tally::fake {

class Snapshots;

/// A clock that moves only on request. A wait advances time to the end of the wait and returns immediately. A
/// wait of thirty days therefore takes no real time, and every run is the same.
///
/// Threads that share the clock join it, with runThreads() or join(). Time then passes as on a real clock,
/// and every run is the same:
/// - Time advances only when all joined threads wait, and only to the earliest end of a wait.
/// - Joined threads run one at a time, each until it waits, leaves or ends. Of the threads that may run, the
///   one whose wait ended first goes first. If several waits ended at the same time, the thread that waited
///   first goes first; see shuffle(). A thread whose wait is stopped by its stop token may run from that
///   moment on, and time does not advance before it has run.
/// - A joined thread must block only in waits on the clock. While it blocks on anything else, such as a mutex
///   that a waiting thread holds, time does not advance. The program hangs if the thread can continue only
///   after time has passed. To wait for another thread, a joined thread calls waitUntil(). If all joined
///   threads do so, they wait until a thread that has not joined ends a wait or advances the clock.
///
/// A thread that has not joined does not hold back time, and runs in parallel. While other threads have
/// joined, it waits in the same way as they do, except that time may advance further before it continues. If
/// no thread has joined, a wait advances time immediately for all threads. After several waits, the clock
/// shows the latest of their ends.
///
/// While the clock is frozen, only advance() and advanceTo() move it, and a wait blocks its thread until the
/// clock has been moved far enough. A test can thus hold back one thread while others continue.
///
/// While the clock is running, it moves in real time, and waits last as long as requested. This is for a
/// service that other processes use.
///
/// While the clock is frozen or running, joined threads still run one at a time.
///
/// An Alarm waits without a thread.
///
/// Thread-safe.
class VirtualClock final : public Clock {
  struct Waiter;

 public:
  /// The time, and how the clock continues from there.
  struct Reading {
    Instant time{};
    bool frozen = false;
    bool running = false;

    bool operator==(const Reading&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Reading& value);
  };

  /// Keeps a thread joined to a clock; see join(). That thread must destroy it before the clock.
  class [[nodiscard]] Membership;

  /// Waits until a given time without occupying a thread.
  class [[nodiscard]] Alarm;

  /// How many waits sleepDurations() keeps.
  static constexpr std::size_t waitsKept = 10'000;

  /// `changes` notes advance(), advanceTo(), catchUp(), freeze(), thaw() and run(), but not time that passes
  /// in waits or while the clock runs.
  explicit VirtualClock(Instant start, std::shared_ptr<ChangeSignal> changes = nullptr)
      : changes_(std::move(changes)), now_(start) {}

  [[nodiscard]] Instant now() const override;

  /// Moves time forward to `time`, unless a stop has been requested. If the clock is frozen or running, or
  /// threads have joined, blocks until the clock reaches `time` or a stop is requested.
  bool sleepUntil(Instant time, StopToken stop) override;

  /// Blocks until other threads move the clock to `time`, a running clock reaches it, or a stop is requested.
  bool waitUntil(Instant time, StopToken stop) override;

  /// Like sleepUntil(), but for time that passes without a requested wait, such as while a response is in
  /// flight: sleepDurations() does not include it.
  bool passUntil(Instant time, const StopToken& stop);

  /// Runs `work(0)` … `work(count - 1)`, each in a separate joined thread, and returns when all have
  /// returned. All begin at the current time, in this order. If any of them threw, rethrows the exception of
  /// the first one in this order. Throws std::logic_error if the calling thread has joined, and
  /// std::system_error if a thread can't be started.
  void runThreads(std::size_t count, const std::function<void(std::size_t)>& work);

  /// Joins the calling thread to the clock until the result is destroyed. Blocks while another joined thread
  /// runs. Time may pass before a thread calls this: to start threads at the same time, use runThreads().
  /// Throws std::logic_error if the thread has already joined.
  Membership join();

  /// From now on, a random one of the joined threads that may run goes first. The seed determines the choice:
  /// each seed gives a different interleaving, which is the same in every run.
  void shuffle(std::uint64_t seed);

  /// Moves time forward. Throws std::invalid_argument if the duration is negative, or if the time would
  /// exceed Instant::max().
  void advance(std::chrono::nanoseconds duration);

  /// Moves time forward to `time`; a frozen or running clock stays frozen or running. Throws
  /// std::invalid_argument if the clock shows a later time.
  void advanceTo(Instant time);

  /// Moves a running clock that is behind `time` forward to it. A clock that shows a later time, is frozen or
  /// is not running stays as it is. For a service that resumes after not running for some time.
  void catchUp(Instant time);

  /// Stops time: from now on, only advance() and advanceTo() move it, and waits block.
  void freeze();

  /// Ends freeze(), including for waits in progress.
  void thaw();

  [[nodiscard]] bool frozen() const;

  /// From now on, the clock moves in real time, except while it is frozen.
  void run();

  [[nodiscard]] bool running() const;

  /// Blocks until at least `count` threads are blocked in a wait, so that a test can call advance() at the
  /// right moment. An alarm that waits counts as a thread. A wait that has been stopped, or whose time has
  /// come, no longer counts.
  void waitForSleepers(std::size_t count) const;

  /// The requested lengths of the waits of sleepUntil() that took time, oldest first. Only the last
  /// `waitsKept` are kept.
  [[nodiscard]] std::vector<std::chrono::nanoseconds> sleepDurations() const;

  [[nodiscard]] Reading reading() const;

 private:
  friend class Snapshots;

  /// The end of a wait, and the number of the wait, which determines the order of waits that end at the same
  /// time.
  using Turn = std::pair<Instant, std::uint64_t>;
  using Waiters = std::map<Turn, Waiter*>;
  using Lock = std::unique_lock<std::mutex>;
  using Wake = std::function<void()>;

  [[nodiscard]] Instant present() const;
  [[nodiscard]] bool movesByItself() const { return running_ && !frozen_; }
  [[nodiscard]] std::chrono::nanoseconds nextWait(Instant time) const;
  bool wait(Lock& lock, Instant time, const StopToken& stop, bool advances);
  void await(Lock& lock, Waiter& waiter, Instant time);
  void block(Lock& lock, Waiter& waiter);
  void interrupt(Waiter& waiter);
  void wake(Waiter& waiter, Instant time);
  void wakeDue();
  void proceed(Lock& lock);
  void settle();
  void passTurn();
  [[nodiscard]] bool isIdle() const;
  [[nodiscard]] bool hasTurn() const;
  void requireNotJoined() const;
  [[nodiscard]] bool mayLeap() const;
  template <class Edit>
  void edit(const Edit& edit);
  template <class Edit>
  void change(const Edit& edit);
  /// Sets the clock to an earlier reading, or to that of another clock, including whether it is frozen or
  /// running. Time may go backward, so only a service may call this, while it also restores everything that
  /// it has recorded: a recorded time in the future would count against its limits until then. `changes` does
  /// not note it, because the service holds its lock and notes the whole restore at once.
  void restore(const Reading& reading);

  const std::shared_ptr<ChangeSignal> changes_;  // may be null
  mutable std::mutex mutex_;
  mutable std::condition_variable sleeping_;
  Instant now_;
  bool frozen_ = false;
  bool running_ = false;
  std::chrono::steady_clock::time_point since_{};  // when `now_` was the present, while the clock is running
  Waiters waiting_{};
  Waiters ready_{};                               // joined threads that wait for their turn
  Waiter* turn_ = nullptr;                        // the joined thread that runs
  std::deque<std::weak_ptr<const Wake>> rung_{};  // alarms; the first one is being called
  bool ringing_ = false;                          // a thread calls them
  std::uint64_t waits_ = 0;
  std::optional<std::uint64_t> shuffle_{};  // null: first come, first served
  std::deque<std::chrono::nanoseconds> slept_{};
};

/// A thread at the clock, or an alarm.
struct VirtualClock::Waiter {
  bool joined = false;
  std::thread::id id{};                // of a joined thread that has begun
  std::shared_ptr<const Wake> wake{};  // of an alarm

  // Its wait:
  std::optional<Waiters::iterator> place{};  // in `waiting_`
  bool advances = false;                     // whether time moves for it
  bool stopped = false;
  bool awake = false;
  std::condition_variable changed{};
};

class VirtualClock::Membership {
 public:
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;
  ~Membership();

 private:
  friend class VirtualClock;

  /// For a thread that has not begun.
  explicit Membership(VirtualClock& clock);
  /// For the calling thread.
  Membership(VirtualClock& clock, std::thread::id self);

  void begin(std::thread::id self);

  VirtualClock& clock_;
  Waiter self_{.joined = true};
};

/// For event loops: calls a function when the clock is moved to a time. As in passUntil(), a clock that is
/// neither frozen nor running moves by itself. It does so immediately if nothing else waits and no thread has
/// joined.
///
/// While a running clock only follows real time, nothing calls the function, so the event loop must look at
/// the clock again at realTime(). The function is called whenever realTime() changes to an earlier time,
/// because the clock is run, thawed or set.
///
/// The functions of alarms for the same time are called in the order in which the alarms were set, before any
/// joined thread continues. Time does not advance until they have returned.
class VirtualClock::Alarm {
 public:
  /// `wake` is called by the thread that moves the clock, without holding the clock's lock. It may use the
  /// clock and destroy the alarm, but must not wait, throw, or use a Service. It is not called for a time
  /// that has already come.
  Alarm(VirtualClock& clock, Instant time, std::function<void()> wake);
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  /// Must be called before the clock is destroyed. Afterwards, a call to `wake` in another thread may still
  /// be in progress.
  ~Alarm();

  /// When to look at the clock again if `wake` has not been called by then. A time in the past if the time of
  /// the alarm has come; `time_point::max()` while the clock does not run. At most an hour ahead.
  [[nodiscard]] std::chrono::steady_clock::time_point realTime() const;

 private:
  VirtualClock& clock_;
  const Instant time_;
  Waiter self_{};
};

}  // namespace tally::fake
