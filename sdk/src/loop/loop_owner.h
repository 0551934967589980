#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "event/async_transport.h"
#include "event/event_loop.h"
#include "platform/machine.h"

namespace tally::detail {

/// Owns the loop of an AsyncClient, and decides which thread polls it: its own, or, if requests are handled
/// in this process, one of those that wait. Has the lock that guards what threads wait for.
class LoopOwner {
 public:
  using Lock = std::unique_lock<std::mutex>;
  /// Evaluated with the lock.
  using Condition = std::function<bool()>;

  /// What the loop is polled for.
  class Work {
   public:
    /// After each poll.
    virtual void polled() noexcept = 0;
    /// The loop can't wait, so no outstanding activity can continue.
    virtual void fail(const std::exception_ptr& exception) noexcept = 0;

    // With the lock.

    /// Nothing is outstanding.
    [[nodiscard]] virtual bool isIdle() const noexcept = 0;
    /// After fail(): the loop has to be polled again.
    [[nodiscard]] virtual bool needsLoop() const noexcept = 0;

   protected:
    Work() = default;
    Work(const Work&) = default;
    Work& operator=(const Work&) = default;
    ~Work() = default;
  };

  /// `work` must outlive this.
  LoopOwner(AsyncSetup setup, bool inProcess, Work& work)
      : work_(work), inProcess_(inProcess), setup_(std::move(setup)) {}

  [[nodiscard]] EventLoop& loop() noexcept { return *setup_.loop; }
  [[nodiscard]] const EventLoop& loop() const noexcept { return *setup_.loop; }
  [[nodiscard]] AsyncTransport& transport() noexcept { return *setup_.transport; }

  /// Starts the loop's own thread, which keeps `keptAlive`, unless requests are handled in this process.
  void startThread(std::shared_ptr<const void> keptAlive);

  // For any thread.

  /// Whether only the parent of this process has the loop's thread, so nothing polls the loop.
  [[nodiscard]] bool isInherited() const noexcept { return !inProcess_ && process_ != processId(); }

  [[nodiscard]] Lock lock() const { return Lock{mutex_}; }
  /// After a change that needsLoop() depends on.
  void wakeLoop() noexcept { needed_.notify_all(); }
  /// After any other change: releases the lock, and wakes the threads that wait for it. Those in
  /// waitUntilIdle() are woken only when they may return: waking them for each call would double its cost.
  void wakeWaiting(Lock lock) noexcept;

  // For any thread except that of the loop. They poll the loop if requests are handled in this process and no
  // other thread does, and then pass on what a handler has thrown.

  /// Returns with the lock, as it is called.
  void waitUntil(Lock& lock, const Condition& condition);
  void waitUntilIdle();
  /// Returns when the loop has stopped and its thread has ended.
  void waitUntilStopped();

  // For the thread of the loop.

  /// Stops the loop, unless it has tasks. With the lock.
  [[nodiscard]] bool stopIfIdle() noexcept;
  /// Whether stopIfIdle() has stopped it. With the lock, in any thread.
  [[nodiscard]] bool hasStopped() const noexcept { return stopped_; }

  /// Whether a handler may throw: a thread of the user's polls the loop.
  [[nodiscard]] bool isLent() const noexcept { return inProcess_ && loop().isCurrent(); }
  /// Keeps the first exception for the thread that polls the loop.
  void keep(const std::exception_ptr& thrown) noexcept;
  /// The client has been destroyed in a handler: the loop polls until it stops, whatever handlers throw.
  void orphan() noexcept;

 private:
  class Polling;

  void work() noexcept;
  void poll();
  void turnUntil(Lock& lock, const Condition& condition);
  void waitUntilNeeded();
  void join();
  void rethrow();

  Work& work_;
  bool inProcess_;
  int process_ = processId();

  // For the thread of the loop.
  bool isOrphaned_ = false;
  std::exception_ptr thrown_{};

  mutable std::mutex mutex_{};  // guards the following members, and what conditions depend on
  std::condition_variable changed_{};
  std::condition_variable idle_{};
  std::condition_variable needed_{};
  bool polling_ = false;  // a thread that the user has lent polls the loop
  bool stopped_ = false;

  std::mutex joining_{};  // held by the thread that joins the loop's
  AsyncSetup setup_;      // last of the state, so that transfers end while it exists
  std::thread thread_{};
};

}  // namespace tally::detail
