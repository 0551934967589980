// Races that are planted: exploration must find them.

#include "interleavings/support/explore.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "interleavings/support/schedule.h"
#include "interleavings/support/scheduler.h"

namespace tally::test {

namespace {

/// A value that threads increase without holding a lock during both of their accesses.
class Counter {
 public:
  [[nodiscard]] int get() {
    const std::lock_guard lock{mutex_};
    return value_;
  }
  void set(int value) {
    const std::lock_guard lock{mutex_};
    value_ = value;
  }

 private:
  std::mutex mutex_{};
  int value_ = 0;
};

void checkOutsideItsLock() {
  Counter counter;
  const auto increase = [&] { counter.set(counter.get() + 1); };
  std::thread other{increase};
  increase();
  other.join();
  check(counter.get() == 2, "an increment is lost");
}

void locksInTheWrongOrder() {
  std::mutex first;
  std::mutex second;
  std::thread other{[&] {
    const std::lock_guard outer{first};
    const std::lock_guard inner{second};
  }};
  {
    const std::lock_guard outer{second};
    const std::lock_guard inner{first};
  }
  other.join();
}

/// The flag is set without the lock, so it may be set between the check and the wait.
void lostWakeUp() {
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<bool> isDone = false;
  std::thread other{[&] {
    isDone = true;
    changed.notify_one();
  }};
  {
    std::unique_lock lock{mutex};
    while (!isDone)
      changed.wait(lock);
  }
  other.join();
}

void rightWakeUp() {
  std::mutex mutex;
  std::condition_variable changed;
  bool isDone = false;
  std::thread other{[&] {
    const std::lock_guard lock{mutex};
    isDone = true;
    changed.notify_one();
  }};
  {
    std::unique_lock lock{mutex};
    changed.wait(lock, [&] { return isDone; });
  }
  other.join();
}

/// A race of three threads: `second` must run between the two steps of `first`.
void threeThreads() {
  Counter turns;
  const auto advance = [&](int from) {
    if (turns.get() == from) turns.set(from + 1);
  };
  std::thread first{[&] {
    advance(0);
    advance(2);
  }};
  std::thread second{[&] { advance(1); }};
  first.join();
  second.join();
  check(turns.get() != 3, "all have advanced");
}

std::string failureOf(const std::function<void()>& scenario, const Exploration& exploration) {
  return explore(scenario, exploration).failure;
}

}  // namespace

TEST(Explore, FindsAReadAndAWriteUnderSeparateLocks) {
  const std::string failure = failureOf(checkOutsideItsLock, {});
  EXPECT_TRUE(failure.starts_with("an increment is lost\nTALLY_SCHEDULE='")) << failure;
}

TEST(Explore, FindsLocksTakenInOppositeOrders) {
  EXPECT_TRUE(failureOf(locksInTheWrongOrder, {}).starts_with("deadlock: thread 0, thread 1 can't go on"));
}

TEST(Explore, FindsALostWakeUp) {
  EXPECT_TRUE(failureOf(lostWakeUp, {.seeds = 2'000}).starts_with("deadlock: thread 0 can't go on"));
}

TEST(Explore, FindsARaceAmongThreeThreads) {
  EXPECT_TRUE(failureOf(threeThreads, {.preemptions = 0}).starts_with("all have advanced"));
}

TEST(Explore, FindsARaceAndADeadlockWithEachRandomPolicy) {
  const auto finds = [](const std::function<void()>& scenario, const auto& policyOf) {
    for (std::uint64_t seed = 1; seed <= 2'000; ++seed)
      if (runScheduled(scenario, *policyOf(seed)).failure) return true;
    return false;
  };
  for (const auto& scenario : {checkOutsideItsLock, locksInTheWrongOrder}) {
    EXPECT_TRUE(finds(scenario, [](std::uint64_t seed) { return randomPolicy(seed); }));
    EXPECT_TRUE(finds(scenario, [](std::uint64_t seed) { return priorityPolicy(seed, 20, 2); }));
  }
}

TEST(Explore, AcceptsACorrectProgram) {
  const Explored explored = explore(rightWakeUp, {.preemptions = 2});
  EXPECT_EQ(explored.failure, "");
  EXPECT_TRUE(explored.isExhaustive);
  EXPECT_GT(explored.schedules, 10U);
}

TEST(Explore, ReportsAScheduleThatReplaysTheFailure) {
  const std::string failure = failureOf(checkOutsideItsLock, {});
  const std::size_t begin = failure.find('\'') + 1;
  const std::string text = failure.substr(begin, failure.find('\'', begin) - begin);
  EXPECT_EQ(runScheduled(checkOutsideItsLock, *replayPolicy(Schedule::fromText(text))).failure,
            "an increment is lost");
  EXPECT_LE(Schedule::fromText(text).switches.size(), 2U) << text;
}

TEST(Explore, FailsIfAThreadRunsForever) {
  const auto forever = [] {
    std::atomic<bool> never = false;
    while (!never)
      std::this_thread::yield();
  };
  EXPECT_TRUE(failureOf(forever, {}).starts_with("the threads run forever"));
}

TEST(Explore, EndsAWaitAtItsDeadline) {
  const auto waits = [] {
    std::mutex mutex;
    std::condition_variable changed;
    std::unique_lock lock{mutex};
    const auto before = std::chrono::steady_clock::now();
    check(changed.wait_for(lock, std::chrono::hours{1}) == std::cv_status::timeout, "the wait ended early");
    check(std::chrono::steady_clock::now() - before >= std::chrono::hours{1}, "the clock has not moved");
  };
  EXPECT_EQ(failureOf(waits, {}), "");
}

TEST(ExhaustiveSearch, TakesMoreSchedulesIfMorePreemptionsAreAllowed) {
  // Two threads of three points each, of which all orders are possible: 6 choose 3, if nothing limits
  // preemptions.
  const auto independent = [] {
    const auto points = [] {
      for (int i = 0; i < 3; ++i)
        scheduled::point();
    };
    std::thread other{points};
    points();
    other.join();
  };
  std::size_t last = 0;
  for (const std::size_t preemptions : {0U, 1U, 2U, 8U}) {
    const Explored explored = explore(independent, {.preemptions = preemptions, .seeds = 0});
    EXPECT_TRUE(explored.isExhaustive);
    EXPECT_GT(explored.schedules, last);
    last = explored.schedules;
  }
}

TEST(Schedule, RoundTripsThroughText) {
  const Schedule schedule{.switches = {{.step = 14, .thread = 1}, {.step = 20, .thread = 0}}};
  EXPECT_EQ(schedule.toText(), "14:1 20:0");
  EXPECT_EQ(Schedule::fromText("14:1 20:0").switches, schedule.switches);
  EXPECT_EQ(Schedule::fromText("").switches.size(), 0U);
  for (const char* text : {"14", "14:", ":1", "a:1", "14:1x"})
    EXPECT_THROW((void)Schedule::fromText(text), std::invalid_argument) << text;
}

}  // namespace tally::test
