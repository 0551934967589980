#include "loop/loop_owner.h"

#include <utility>

namespace tally::detail {

/// While it exists, this thread polls the loop.
class LoopOwner::Polling {
 public:
  Polling(LoopOwner& owner, Lock& lock) : owner_(owner), lock_(lock) { owner_.polling_ = true; }
  Polling(const Polling&) = delete;
  Polling& operator=(const Polling&) = delete;
  ~Polling() {
    if (!lock_.owns_lock()) lock_.lock();
    owner_.polling_ = false;
    owner_.changed_.notify_all();
  }

 private:
  LoopOwner& owner_;
  Lock& lock_;
};

void LoopOwner::startThread(std::shared_ptr<const void> keptAlive) {
  if (!inProcess_) thread_ = std::thread{[this, kept = std::move(keptAlive)] { work(); }};
}

void LoopOwner::work() noexcept {
  for (Lock lock{mutex_}; !stopped_; lock.lock()) {
    lock.unlock();
    poll();
  }
}

/// Passes on what a handler has thrown, unless nobody could continue. If the loop itself can't wait, no call
/// can.
void LoopOwner::poll() {
  try {
    loop().poll();
  } catch (...) {
    work_.fail(std::current_exception());
    if (!inProcess_) waitUntilNeeded();
  }
  work_.polled();
  if (!isOrphaned_) rethrow();
}

void LoopOwner::rethrow() {
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

/// Without the clock, which has thrown.
void LoopOwner::waitUntilNeeded() {
  Lock lock{mutex_};
  needed_.wait(lock, [this] { return work_.needsLoop(); });
}

/// Once it is orphaned, there may be no other thread to poll it.
void LoopOwner::turnUntil(Lock& lock, const Condition& condition) {
  changed_.wait(lock, [&] { return !polling_ || condition(); });
  if (polling_) return;
  const Polling polling{*this, lock};
  while (isOrphaned_ ? !stopped_ : !condition()) {
    lock.unlock();
    poll();
    lock.lock();
  }
  rethrow();
}

void LoopOwner::waitUntil(Lock& lock, const Condition& condition) {
  if (inProcess_) return turnUntil(lock, condition);
  changed_.wait(lock, condition);
}

void LoopOwner::waitUntilIdle() {
  Lock lock{mutex_};
  const auto isIdle = [this] { return work_.isIdle(); };
  if (inProcess_) return turnUntil(lock, isIdle);
  idle_.wait(lock, isIdle);
}

void LoopOwner::waitUntilStopped() {
  const auto hasStopped = [this] { return stopped_; };
  if (!inProcess_) join();
  Lock lock{mutex_};
  waitUntil(lock, hasStopped);  // also if its thread can't be joined any more
}

void LoopOwner::join() {
  const std::lock_guard joining{joining_};
  if (thread_.joinable()) thread_.join();
}

void LoopOwner::wakeWaiting(Lock lock) noexcept {
  const bool idle = work_.isIdle();
  lock.unlock();
  changed_.notify_all();
  if (idle) idle_.notify_all();
}

bool LoopOwner::stopIfIdle() noexcept {
  stopped_ = loop().endIfIdle();
  return stopped_;
}

void LoopOwner::keep(const std::exception_ptr& thrown) noexcept {
  if (!thrown_) thrown_ = thrown;
}

void LoopOwner::orphan() noexcept {
  isOrphaned_ = true;
  const std::unique_lock joining{joining_, std::try_to_lock};  // or another thread joins it
  if (joining && thread_.joinable()) thread_.detach();
}

}  // namespace tally::detail
