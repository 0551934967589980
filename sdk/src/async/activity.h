#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include <tally/error.h>

#include <boost/intrusive/list.hpp>

#include "event/event_loop.h"

namespace tally::detail {

class AsyncTransport;
class ClientCore;
class Activity;
class OutgoingRequest;
class Slots;

struct ReleaseActivity {
  void operator()(Activity* activity) const noexcept;
};
/// A counted reference to an activity.
using ActivityRef = std::unique_ptr<Activity, ReleaseActivity>;

/// What activities need of the engine that runs them. For the thread of the loop, except start(), core() and
/// loop().
class ActivityHost {
 public:
  ActivityHost() = default;
  ActivityHost(const ActivityHost&) = delete;
  ActivityHost& operator=(const ActivityHost&) = delete;
  virtual ~ActivityHost() = default;

  [[nodiscard]] virtual const ClientCore& core() const noexcept = 0;
  [[nodiscard]] virtual EventLoop& loop() noexcept = 0;
  [[nodiscard]] virtual AsyncTransport& transport() noexcept = 0;

  /// Lets an activity begin, or refuses it. Takes over its first reference. May block: see WhenFull.
  virtual void start(Activity& activity) = 0;
  virtual void began(Activity& activity) noexcept = 0;
  [[nodiscard]] virtual bool cancelsAll() const noexcept = 0;
  /// Delivers the result of an activity, by the executor if there is one. `error`: null on success.
  virtual void deliver(ActivityRef activity, const Error* error) noexcept = 0;

  [[nodiscard]] virtual Slots& slots() noexcept = 0;
  /// A call ends, but its request is still in flight.
  virtual void detached(OutgoingRequest& request) noexcept = 0;
  /// That request has ended.
  virtual void detachedEnded() noexcept = 0;
};

/// Something that an AsyncClient has started and that has not completed: a call, a pause, or an operation of
/// several calls. It ends, then completes by delivering its result, and then leaves the engine. It owns
/// itself, by counted references: one of the engine until it has ended, one of each signal on its way, and
/// one of an undelivered completion.
///
/// begin(), resume() and fail() are called in the thread of the loop. After an exception of the first two,
/// the activity fails.
class Activity
    : private LoopTask,
      private Timer,
      public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  enum Signal : unsigned { starting = 1, waking = 2, canceling = 4, returning = 8 };

  virtual ~Activity() = default;

  /// Thread-safe. Allocates nothing. After the end of the loop, without effect.
  void signal(Signal signal) noexcept;

  void addRef() noexcept { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept;

  /// Releases a reference to an activity that has been completed in another thread. The loop's thread
  /// destroys it if possible: memory that two threads allocate and free in turn is slow for both.
  void releaseInLoop() noexcept;

  /// Ends with an error instead of beginning or continuing.
  virtual void fail(const Error& error) = 0;

  /// Delivers the result. In any thread; what it calls may throw.
  virtual void complete() = 0;

  /// Whether a call that it has started is in progress.
  [[nodiscard]] virtual bool waitsForPart() const noexcept { return false; }

  /// Fails because of an exception, unless it has ended.
  void failBy(const std::exception_ptr& exception) noexcept;

  /// The activity fails with this error instead of beginning.
  void refuse(const Error& error) noexcept { refusal_ = error; }

  /// Whether it is to fail with an error of this kind.
  [[nodiscard]] bool isRefusedAs(ErrorKind kind) const noexcept {
    return refusal_ && refusal_->kind() == kind;
  }
  /// Fails with the error of refuse(), in any thread: the loop has stopped.
  void failRefused() { fail(*refusal_); }

  /// Starts a part of another activity, which is counted and delivered in its place. For the thread of the
  /// loop.
  void startAsPart() noexcept;

 protected:
  explicit Activity(std::shared_ptr<ActivityHost> engine);

  [[nodiscard]] ActivityHost& engine() const noexcept { return *engine_; }
  [[nodiscard]] const std::shared_ptr<ActivityHost>& sharedEngine() const noexcept { return engine_; }

  virtual void begin() = 0;
  /// A signal or the timer has ended a wait, or cancellation has been requested.
  virtual void resume() = 0;

  void setTimer(Instant time) noexcept;
  void stopTimer() noexcept;
  [[nodiscard]] bool isCanceled() const noexcept { return canceled_; }
  /// Whether it is canceled, or will be once this thread returns to the loop.
  [[nodiscard]] bool isCancelRequested() const noexcept {
    return canceled_ || (signals_.load(std::memory_order_acquire) & canceling) != 0;
  }
  [[nodiscard]] bool hasEnded() const noexcept { return ended_; }

  /// Nothing further happens, except that the result is delivered. `error`: null on success. May destroy
  /// this.
  void end(const Error* error) noexcept;

  /// Invokes `function` as the loop does begin() and resume().
  template <class Function>
  void guarded(Function function) noexcept {
    addRef();
    try {
      function();
    } catch (...) {
      failBy(std::current_exception());
    }
    release();
  }

 private:
  void run() final;
  void expired() final;
  void handle(unsigned signals);

  [[nodiscard]] static const Error& unexplained();

  std::shared_ptr<ActivityHost> engine_;
  const Error& unexplained_;  // made in advance: failing takes no memory
  std::atomic<unsigned> refs_{1};
  std::atomic<unsigned> signals_{0};
  bool canceled_ = false;
  bool ended_ = false;
  bool isPart_ = false;
  std::optional<Error> refusal_{};
};

inline void ReleaseActivity::operator()(Activity* activity) const noexcept {
  activity->release();
}

}  // namespace tally::detail
