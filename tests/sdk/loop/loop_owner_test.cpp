#include "loop/loop_owner.h"

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally::detail {
namespace {

/// Calls a function in the thread of the loop.
class OwnerTask final : public LoopTask {
 public:
  explicit OwnerTask(std::function<void()> work) : work_(std::move(work)) {}

 private:
  void run() override { work_(); }

  std::function<void()> work_;
};

/// Waits only until it is woken. Throws once if it is told to.
class WokenSource final : public EventSource {
 public:
  explicit WokenSource(std::shared_ptr<std::atomic<bool>> throws) : throws_(std::move(throws)) {}

  void waitUntil(Instant time) override {
    if (throws_->exchange(false)) throw std::runtime_error{"no clock"};
    if (time == Instant::min()) return;
    woken_.wait(false);
    woken_ = false;
  }
  void wake() noexcept override {
    woken_ = true;
    woken_.notify_all();
  }

 private:
  std::shared_ptr<std::atomic<bool>> throws_;
  std::atomic<bool> woken_{false};
};

/// Stops the loop once it is closed. What it counts, `outstanding`, is guarded by the owner's lock.
struct OwnerWork final : LoopOwner::Work {
  explicit OwnerWork(bool inProcess)
      : owner({.loop = std::make_unique<EventLoop>(clock, std::make_unique<WokenSource>(sourceThrows))},
              inProcess, *this) {}

  void polled() noexcept override {
    ++polls;
    turnedUnneeded = turnedUnneeded || (hasFailed && !wasNeeded);
    auto lock = owner.lock();
    if (!closed || !owner.stopIfIdle()) return;
    owner.wakeWaiting(std::move(lock));
  }
  void fail(const std::exception_ptr&) noexcept override {
    hasFailed = true;
    failed.set_value();
  }
  [[nodiscard]] bool isIdle() const noexcept override { return outstanding == 0; }
  [[nodiscard]] bool needsLoop() const noexcept override {
    wasNeeded = closed || outstanding != 0;
    return wasNeeded;
  }

  void leave() {
    auto lock = owner.lock();
    --outstanding;
    owner.wakeWaiting(std::move(lock));
  }
  void close() {
    auto lock = owner.lock();
    closed = true;
    owner.wakeLoop();
    owner.wakeWaiting(std::move(lock));
    owner.loop().wake();
  }

  test::TestClock clock{};
  std::shared_ptr<std::atomic<bool>> sourceThrows = std::make_shared<std::atomic<bool>>(false);
  int outstanding = 0;
  bool closed = false;
  std::atomic<int> polls = 0;
  std::promise<void> failed{};
  // In the thread of the loop:
  bool hasFailed = false;
  mutable bool wasNeeded = false;
  bool turnedUnneeded = false;
  LoopOwner owner;
};

TEST(LoopOwner, RunsTheLoopInTheWaitingThreadWhenInProcess) {
  OwnerWork work{true};
  work.owner.startThread(nullptr);
  work.outstanding = 1;
  std::thread::id ran;
  OwnerTask task{[&] {
    ran = std::this_thread::get_id();
    EXPECT_TRUE(work.owner.isLent());
    work.leave();
  }};
  work.owner.loop().post(task);
  work.owner.waitUntilIdle();
  EXPECT_EQ(ran, std::this_thread::get_id());
  EXPECT_EQ(work.polls, 1);
  EXPECT_FALSE(work.owner.isLent());
}

TEST(LoopOwner, DoesNotRunTheLoopIfNothingIsOutstanding) {
  OwnerWork work{true};
  work.owner.waitUntilIdle();
  EXPECT_EQ(work.polls, 0);
}

TEST(LoopOwner, HoldsTheLockWhenItReturnsFromAWait) {
  OwnerWork work{true};
  work.outstanding = 1;
  OwnerTask task{[&] { work.leave(); }};
  work.owner.loop().post(task);
  auto lock = work.owner.lock();
  work.owner.waitUntil(lock, [&] { return work.outstanding == 0; });
  EXPECT_TRUE(lock.owns_lock());
}

TEST(LoopOwner, LetsOnlyOneOfTheWaitingThreadsRunTheLoop) {
  OwnerWork work{true};
  work.outstanding = 2;
  std::promise<void> first;
  std::promise<void> second;
  std::thread::id turner;
  OwnerTask begins{[&] {
    turner = std::this_thread::get_id();
    first.set_value();
    second.get_future().wait();  // the other thread waits meanwhile, or is about to
    work.leave();
  }};
  OwnerTask ends{[&] {
    EXPECT_EQ(std::this_thread::get_id(), turner);
    work.leave();
  }};
  work.owner.loop().post(begins);
  work.owner.loop().post(ends);
  std::thread polling{[&] { work.owner.waitUntilIdle(); }};
  first.get_future().wait();
  std::thread waiting{[&] { work.owner.waitUntilIdle(); }};
  second.set_value();
  waiting.join();
  polling.join();
  EXPECT_EQ(work.polls, 1);
}

TEST(LoopOwner, PassesTheLoopOnToAThreadThatStillWaits) {
  OwnerWork work{true};
  work.outstanding = 2;
  std::promise<void> polling;
  OwnerTask begins{[&] {
    polling.set_value();
    work.leave();
  }};
  OwnerTask ends{[&] { work.leave(); }};
  work.owner.loop().post(begins);
  std::thread other{[&] {
    auto lock = work.owner.lock();
    work.owner.waitUntil(lock, [&] { return work.outstanding <= 1; });
  }};
  polling.get_future().wait();
  work.owner.loop().post(ends);
  work.owner.waitUntilIdle();
  other.join();
  EXPECT_EQ(work.outstanding, 0);
}

TEST(LoopOwner, RethrowsTheFirstExceptionFromAHandler) {
  OwnerWork work{true};
  work.outstanding = 1;
  OwnerTask task{[&] {
    work.owner.keep(std::make_exception_ptr(std::runtime_error{"first"}));
    work.owner.keep(std::make_exception_ptr(std::runtime_error{"second"}));
  }};
  work.owner.loop().post(task);
  try {
    work.owner.waitUntilIdle();
    ADD_FAILURE() << "did not throw";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
  OwnerTask last{[&] { work.leave(); }};
  work.owner.loop().post(last);
  EXPECT_NO_THROW(work.owner.waitUntilIdle());
}

TEST(LoopOwner, ThrowsOnlyAtTheEndWhenItIsOrphaned) {
  OwnerWork work{true};
  work.outstanding = 1;
  OwnerTask last{[&] {
    work.leave();
    work.closed = true;
  }};
  OwnerTask task{[&] {
    work.owner.keep(std::make_exception_ptr(std::runtime_error{"thrown"}));
    work.owner.orphan();
    work.owner.loop().post(last);
  }};
  work.owner.loop().post(task);
  EXPECT_THROW(work.owner.waitUntilIdle(), std::runtime_error);
  EXPECT_EQ(work.polls, 2);
  EXPECT_EQ(work.outstanding, 0);
}

TEST(LoopOwner, RunsUntilItStopsWhenItIsOrphaned) {
  OwnerWork work{true};
  work.outstanding = 1;
  OwnerTask last{[&] { work.closed = true; }};
  OwnerTask task{[&] {
    work.owner.orphan();
    work.leave();
    work.owner.loop().post(last);
  }};
  work.owner.loop().post(task);
  work.owner.waitUntilIdle();
  EXPECT_TRUE(work.closed);
  const auto lock = work.owner.lock();
  EXPECT_TRUE(work.owner.hasStopped());
}

TEST(LoopOwner, RunsTheLoopInItsOwnThreadUntilItStops) {
  OwnerWork work{false};
  work.outstanding = 1;
  const auto kept = std::make_shared<int>();
  work.owner.startThread(kept);
  std::thread::id ran;
  OwnerTask task{[&] {
    ran = std::this_thread::get_id();
    EXPECT_FALSE(work.owner.isLent());
    work.leave();
  }};
  work.owner.loop().post(task);
  work.owner.waitUntilIdle();
  EXPECT_NE(ran, std::this_thread::get_id());
  EXPECT_EQ(kept.use_count(), 2);
  work.close();
  work.owner.waitUntilStopped();
  EXPECT_EQ(kept.use_count(), 1);
  const auto lock = work.owner.lock();
  EXPECT_TRUE(work.owner.hasStopped());
}

TEST(LoopOwner, WaitsForAnOrphanedLoopThatItCannotJoin) {
  const auto work = std::make_shared<OwnerWork>(false);
  work->owner.startThread(work);
  std::promise<void> orphaned;
  OwnerTask orphans{[&] {
    work->owner.orphan();
    orphaned.set_value();
  }};
  work->owner.loop().post(orphans);
  orphaned.get_future().wait();
  OwnerTask closes{[&] { work->closed = true; }};
  work->owner.loop().post(closes);
  work->owner.waitUntilStopped();
  const auto lock = work->owner.lock();
  EXPECT_TRUE(work->owner.hasStopped());
}

TEST(LoopOwner, DoesNotStopALoopThatHasTasks) {
  OwnerWork work{true};
  OwnerTask task{[] {}};
  work.owner.loop().post(task);
  auto lock = work.owner.lock();
  EXPECT_FALSE(work.owner.stopIfIdle());
  EXPECT_FALSE(work.owner.hasStopped());
  lock.unlock();
  work.closed = true;
  work.owner.waitUntilStopped();
  lock.lock();
  EXPECT_TRUE(work.owner.hasStopped());
}

TEST(LoopOwner, PausesUntilNeededWhenTheEventSourceFails) {
  OwnerWork work{false};
  *work.sourceThrows = true;
  work.owner.startThread(nullptr);
  work.failed.get_future().wait();
  work.close();
  work.owner.waitUntilStopped();
  EXPECT_FALSE(work.turnedUnneeded);
  EXPECT_EQ(work.polls, 1);
}

}  // namespace
}  // namespace tally::detail
