#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <tally/clock.h>
#include <tally/stop_token.h>

#include <boost/intrusive/list.hpp>
#include <boost/intrusive/set.hpp>

namespace tally::detail {

class EventLoop;

/// Work that any thread can hand to a loop. Posting allocates nothing.
class LoopTask {
 public:
  LoopTask(const LoopTask&) = delete;
  LoopTask& operator=(const LoopTask&) = delete;

 protected:
  LoopTask() = default;
  ~LoopTask() = default;

 private:
  friend EventLoop;
  using Hook = boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

  /// Called in the loop's thread. May destroy the task.
  virtual void run() = 0;

  Hook hook_{};
};

/// A time at which the loop has work to do. Only for the loop's thread; stops when destroyed.
class Timer {
 public:
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  [[nodiscard]] bool isSet() const noexcept { return hook_.is_linked(); }

 protected:
  Timer() = default;
  ~Timer() = default;

 private:
  friend EventLoop;
  using Hook = boost::intrusive::set_member_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
  struct Due {
    Instant time{};
    std::uint64_t number = 0;  // timers of one time expire in the order in which they were set

    auto operator<=>(const Due&) const = default;
  };

  /// Called at the time, or later; the timer is then not set. May destroy the timer.
  virtual void expired() = 0;

  Hook hook_{};
  Due due_{};
};

/// How a loop waits, and where its external events come from.
class EventSource {
 public:
  EventSource() = default;
  EventSource(const EventSource&) = delete;
  EventSource& operator=(const EventSource&) = delete;
  virtual ~EventSource() = default;

  /// Waits until `time` on the loop's clock, until wake(), or until an external event, and handles all
  /// external events that are there. A time in the past: does not wait. Called by the loop's thread.
  virtual void waitUntil(Instant time) = 0;

  /// Ends the present or the next wait. Thread-safe.
  virtual void wake() noexcept = 0;
};

/// Waits on a clock, without external events.
class ClockSource : public EventSource {
 public:
  void waitUntil(Instant time) final;
  void wake() noexcept final;

 protected:
  ClockSource() = default;

 private:
  /// Waits until `time`, which may be Instant::max(), or until `woken`.
  virtual void wait(Instant time, const StopToken& woken) = 0;

  std::mutex mutex_{};
  std::optional<StopSource> wake_{};  // of the present wait; used again until it has been requested
  bool waiting_ = false;
  bool awake_ = false;
};

/// Waits with sleepUntil() of a clock.
[[nodiscard]] std::unique_ptr<EventSource> makeClockSource(Clock& clock);

/// Runs tasks, expired timers and external events, one at a time, in the thread that calls poll(). post() and
/// wake() are thread-safe; everything else is for that thread.
class EventLoop {
 public:
  /// `clock` must outlive this.
  EventLoop(Clock& clock, std::unique_ptr<EventSource> source);
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  ~EventLoop();

  [[nodiscard]] Instant now() const { return clock_.now(); }

  /// Runs `task` once. It must not be posted again before it runs. False: the loop has ended, and drops it.
  bool post(LoopTask& task) noexcept;

  /// Like post(), but only during a poll that does not wait. False: `task` does not run.
  bool postIfTurning(LoopTask& task) noexcept;

  /// The task does not run, if it has not yet.
  void withdraw(LoopTask& task) noexcept;

  /// Sets a timer, or sets it anew.
  [[gnu::noinline]] void set(Timer& timer, Instant time) noexcept;
  [[gnu::noinline]] void cancel(Timer& timer) noexcept;

  /// Whether tasks have been posted that have not run.
  [[nodiscard]] bool hasTasks() noexcept;

  /// Accepts no further tasks. False: there are some that have not run.
  [[nodiscard]] bool endIfIdle() noexcept;

  /// Runs the tasks posted before this poll. If there are none, waits for a timer, an event, a post or
  /// wake(). Then handles events and the first timer that is due. After an exception of a task or a timer,
  /// the next poll continues behind it.
  void poll();

  /// Ends the wait of the present or the next poll.
  void wake() noexcept { source_->wake(); }

  /// While it exists, its thread is in the same position as in poll().
  class Turn {
   public:
    explicit Turn(EventLoop& loop) noexcept;
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

   private:
    std::atomic<std::thread::id>& thread_;
    std::thread::id outer_;
    bool wasTurning_;
  };

  /// While it exists, its thread alone polls some loop, between other work. In that work, it must not wait
  /// for what the loop does.
  class Alone {
   public:
    Alone() noexcept;
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;
    ~Alone();

   private:
    bool wasAlone_;
  };
  [[nodiscard]] static bool isAlone() noexcept;

  /// Whether the calling thread is in poll().
  [[nodiscard]] bool isCurrent() const noexcept {
    return thread_.load(std::memory_order_relaxed) == std::this_thread::get_id();
  }
  /// Whether it is in poll() of any loop, and so must not wait for what a loop does.
  [[nodiscard]] static bool isAnyCurrent() noexcept;

 private:
  struct Order {
    using type = Timer::Due;
    const type& operator()(const Timer& timer) const noexcept { return timer.due_; }
  };
  using Timers = boost::intrusive::set<Timer, boost::intrusive::key_of_value<Order>,
                                       boost::intrusive::member_hook<Timer, Timer::Hook, &Timer::hook_>,
                                       boost::intrusive::constant_time_size<false>>;

  using Tasks =
      boost::intrusive::list<LoopTask,
                             boost::intrusive::member_hook<LoopTask, LoopTask::Hook, &LoopTask::hook_>,
                             boost::intrusive::constant_time_size<false>>;

  [[nodiscard]] bool runTasks();
  void takePosted() noexcept;
  [[nodiscard]] bool beginWait() noexcept;
  void endWait() noexcept;
  [[nodiscard]] Instant nextTime() const noexcept;
  void expireNext();

  Clock& clock_;
  std::unique_ptr<EventSource> source_;
  std::atomic<std::thread::id> thread_{};
  Timers timers_{};
  std::uint64_t set_ = 0;
  Tasks ready_{};  // taken from the posted ones, in order

  std::mutex mutex_{};  // guards the following members
  Tasks posted_{};
  bool waiting_ = false;  // the loop waits, or is about to: a post has to wake it
  bool ended_ = false;
};

}  // namespace tally::detail
