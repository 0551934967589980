#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include <tally/fake/service.h>
#include <tally/fake/snapshot.h>
#include <tally/fake/virtual_clock.h>

#include <gtest/gtest.h>

namespace tally::fake {

namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr Instant clockStart = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};

TEST(VirtualClock, StartsAtTheGivenTime) {
  EXPECT_EQ(VirtualClock{clockStart}.now(), clockStart);
}

TEST(VirtualClock, AdvancesToTheDeadlineOfAWait) {
  VirtualClock clock{clockStart};
  EXPECT_TRUE(clock.sleepUntil(clockStart + seconds{5}, {}));
  EXPECT_EQ(clock.now(), clockStart + seconds{5});
  EXPECT_EQ(clock.sleepDurations(), std::vector<nanoseconds>{seconds{5}});
}

TEST(VirtualClock, NeverMovesBackward) {
  VirtualClock clock{clockStart};
  EXPECT_TRUE(clock.sleepUntil(clockStart - seconds{5}, {}));
  EXPECT_EQ(clock.now(), clockStart);
  EXPECT_TRUE(clock.sleepDurations().empty());
  EXPECT_THROW(clock.advance(seconds{-1}), std::invalid_argument);
  EXPECT_EQ(clock.now(), clockStart);
}

TEST(VirtualClock, EndsAStoppedWaitWithoutAdvancing) {
  VirtualClock clock{clockStart};
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(clock.sleepUntil(clockStart + seconds{5}, stop.get_token()));
  EXPECT_EQ(clock.now(), clockStart);
  EXPECT_TRUE(clock.sleepDurations().empty());
}

TEST(VirtualClock, CanBeAdvancedWhenNoThreadWaits) {
  VirtualClock clock{clockStart};
  clock.advance(seconds{3});
  EXPECT_EQ(clock.now(), clockStart + seconds{3});
  EXPECT_TRUE(clock.sleepDurations().empty());
}

TEST(VirtualClock, AdvancesToTheLatestDeadlineOfSeveralWaits) {
  VirtualClock clock{clockStart};
  std::vector<std::jthread> threads;
  for (int n = 1; n <= 8; ++n)
    threads.emplace_back([&clock, n] { clock.sleepUntil(clockStart + seconds{n}, {}); });
  threads.clear();
  EXPECT_EQ(clock.now(), clockStart + seconds{8});
}

TEST(VirtualClock, KeepsOnlyTheLatestSleepDurations) {
  VirtualClock clock{clockStart};
  for (std::size_t n = 0; n < VirtualClock::waitsKept; ++n)
    clock.sleepUntil(clock.now() + seconds{1}, {});
  clock.sleepUntil(clock.now() + seconds{2}, {});
  const auto slept = clock.sleepDurations();
  EXPECT_EQ(slept.size(), VirtualClock::waitsKept);
  EXPECT_EQ(slept.back(), seconds{2});
}

TEST(VirtualClock, DoesNotAdvanceByItselfWhileFrozen) {
  VirtualClock clock{clockStart};
  clock.freeze();
  EXPECT_TRUE(clock.frozen());
  std::jthread waiting{[&] { EXPECT_TRUE(clock.sleepUntil(clockStart + seconds{5}, {})); }};
  clock.waitForSleepers(1);
  EXPECT_EQ(clock.now(), clockStart);
  clock.advance(seconds{4});
  clock.waitForSleepers(1);
  clock.advance(seconds{2});
  waiting.join();
  EXPECT_EQ(clock.now(), clockStart + seconds{6}) << "the wait itself did not advance the clock";
  EXPECT_EQ(clock.sleepDurations(), std::vector<nanoseconds>{seconds{5}});
}

TEST(VirtualClock, EndsAWaitForTheCurrentTimeImmediatelyWhileFrozen) {
  VirtualClock clock{clockStart};
  clock.freeze();
  EXPECT_TRUE(clock.sleepUntil(clockStart, {}));
  EXPECT_TRUE(clock.passUntil(clockStart, {}));
}

TEST(VirtualClock, EndsAStoppedWaitEvenWhileFrozen) {
  VirtualClock clock{clockStart};
  clock.freeze();
  std::stop_source stop;
  std::jthread sleeping{[&] { EXPECT_FALSE(clock.sleepUntil(clockStart + seconds{5}, stop.get_token())); }};
  std::jthread passing{[&] { EXPECT_FALSE(clock.passUntil(clockStart + seconds{5}, stop.get_token())); }};
  clock.waitForSleepers(2);
  stop.request_stop();
  sleeping.join();
  passing.join();
  EXPECT_EQ(clock.now(), clockStart);
}

TEST(VirtualClock, AdvancesToTheDeadlinesOfWaitsAfterAThaw) {
  VirtualClock clock{clockStart};
  clock.freeze();
  std::jthread waiting{[&] { EXPECT_TRUE(clock.passUntil(clockStart + seconds{5}, {})); }};
  clock.waitForSleepers(1);
  clock.thaw();
  waiting.join();
  EXPECT_FALSE(clock.frozen());
  EXPECT_EQ(clock.now(), clockStart + seconds{5});
  EXPECT_TRUE(clock.sleepUntil(clockStart + seconds{6}, {}));
  EXPECT_EQ(clock.now(), clockStart + seconds{6});
}

TEST(VirtualClock, AdvancesToTheLatestDeadlineWhenThawed) {
  VirtualClock clock{clockStart};
  clock.freeze();
  std::vector<std::jthread> threads;
  for (const int end : {8, 5, 9, 3})
    threads.emplace_back([&clock, end] {
      clock.sleepUntil(clockStart + seconds{end}, {});
      EXPECT_EQ(clock.now(), clockStart + seconds{9});
    });
  clock.waitForSleepers(threads.size());
  clock.thaw();
  EXPECT_EQ(clock.now(), clockStart + seconds{9}) << "whichever thread runs first";
  threads.clear();
  EXPECT_EQ(clock.now(), clockStart + seconds{9});
}

TEST(VirtualClock, EndsWaitsWhenAdvancedToALaterTime) {
  VirtualClock clock{clockStart};
  clock.freeze();
  std::jthread waiting{[&] { EXPECT_TRUE(clock.sleepUntil(clockStart + seconds{5}, {})); }};
  clock.waitForSleepers(1);
  clock.advanceTo(clockStart + seconds{9});
  waiting.join();
  EXPECT_EQ(clock.now(), clockStart + seconds{9});
}

TEST(VirtualClock, DoesNotRecordASleepWhenTimeOnlyPasses) {
  VirtualClock clock{clockStart};
  EXPECT_TRUE(clock.passUntil(clockStart + seconds{5}, {}));
  EXPECT_EQ(clock.now(), clockStart + seconds{5});
  EXPECT_TRUE(clock.sleepDurations().empty());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(clock.passUntil(clockStart + seconds{6}, stop.get_token()));
  EXPECT_EQ(clock.now(), clockStart + seconds{5});
}

TEST(VirtualClock, IgnoresSleepersWhoseWaitsHaveEnded) {
  VirtualClock clock{clockStart};
  clock.freeze();
  constexpr int waits = 200;
  std::atomic<int> done = 0;
  std::jthread sleeper{[&] {
    for (int n = 1; n <= waits; ++n) {
      clock.sleepUntil(clockStart + seconds{n}, {});
      done = n;
    }
  }};
  int late = 0;
  for (int n = 0; n < waits; ++n) {
    clock.waitForSleepers(1);
    if (done != n) ++late;
    clock.advance(seconds{1});
  }
  EXPECT_EQ(late, 0);
}

TEST(VirtualClock, EndsAWaitWhenAnotherThreadSleepsUntilItsDeadline) {
  VirtualClock clock{clockStart};
  bool came = false;
  std::jthread waiter{[&] { came = clock.waitUntil(clockStart + seconds{1}, {}); }};
  clock.waitForSleepers(1);
  EXPECT_TRUE(clock.sleepUntil(clockStart + seconds{1}, {}));
  waiter.join();
  EXPECT_TRUE(came);
}

TEST(RunningClock, EndsAWaitThatBeganBeforeItRan) {
  VirtualClock clock{clockStart};
  bool came = false;
  std::jthread waiter{[&] { came = clock.waitUntil(clockStart + std::chrono::milliseconds{1}, {}); }};
  clock.waitForSleepers(1);
  clock.run();
  waiter.join();
  EXPECT_TRUE(came);
}

TEST(RunningClock, AdvancesByItself) {
  VirtualClock clock{clockStart};
  clock.run();
  while (clock.now() == clockStart) {
  }
  const Instant before = clock.now();
  clock.advance(std::chrono::hours{1});
  EXPECT_GE(clock.now(), before + std::chrono::hours{1});
  EXPECT_LT(clock.now(), before + std::chrono::hours{2});
}

TEST(RunningClock, WaitsInRealTime) {
  VirtualClock clock{clockStart};
  clock.run();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(clock.sleepUntil(clock.now() + std::chrono::milliseconds{20}, {}));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds{20});
}

TEST(RunningClock, EndsAWaitWhenAStopIsRequestedOrAnAdvanceReachesItsEnd) {
  VirtualClock clock{clockStart};
  clock.run();
  std::stop_source stop;
  bool came = true;
  std::jthread stopped{
      [&] { came = clock.sleepUntil(clockStart + std::chrono::hours{9}, stop.get_token()); }};
  clock.waitForSleepers(1);
  stop.request_stop();
  stopped.join();
  EXPECT_FALSE(came);
  std::jthread advanced{[&] { came = clock.sleepUntil(clockStart + std::chrono::hours{9}, {}); }};
  clock.waitForSleepers(1);
  clock.advance(std::chrono::hours{9});
  advanced.join();
  EXPECT_TRUE(came);
  std::jthread endless{[&] { came = clock.sleepUntil(Instant::max(), stop.get_token()); }};
  endless.join();
  EXPECT_FALSE(came);
}

TEST(RunningClock, StandsStillWhileFrozen) {
  VirtualClock clock{clockStart};
  clock.run();
  std::jthread waiting{[&] { clock.sleepUntil(clockStart + std::chrono::hours{1}, {}); }};
  clock.waitForSleepers(1);
  clock.freeze();
  const Instant frozen = clock.now();
  EXPECT_EQ(clock.now(), frozen);
  clock.thaw();
  const Instant thawed = clock.now();
  EXPECT_GE(thawed, frozen);
  clock.thaw();
  const Instant again = clock.now();
  EXPECT_GE(again, thawed);
  clock.run();
  EXPECT_GE(clock.now(), again);
  clock.advance(std::chrono::hours{1});
}

using Machine = std::chrono::steady_clock;

/// Lets enough real time pass for a jump to be visible.
void letTimePass() {
  const auto enough = Machine::now() + std::chrono::milliseconds{5};
  while (Machine::now() < enough) {
  }
}

/// How much more a clock advances than real time during `act`: zero unless the clock jumps, even on a busy
/// machine.
template <class Act>
nanoseconds jump(const VirtualClock& clock, Act act) {
  const auto begun = Machine::now();
  const Instant before = clock.now();
  act();
  const Instant after = clock.now();
  EXPECT_GE(after, before) << "the clock went back";
  return std::max((after - before) - (Machine::now() - begun), nanoseconds{0});
}

/// The running clock shows `time` after `act`, and what has passed since.
template <class Act>
void expectToContinueFrom(Instant time, const VirtualClock& clock, Act act) {
  letTimePass();
  const auto begun = Machine::now();
  act();
  const Instant set = clock.now();
  EXPECT_GE(set, time);
  EXPECT_LE(set - time, Machine::now() - begun);
}

TEST(RunningClock, DoesNotCatchUpAfterAThaw) {
  VirtualClock clock{clockStart};
  clock.run();
  letTimePass();
  EXPECT_EQ(jump(clock, [&] { clock.freeze(); }), nanoseconds{0});
  letTimePass();
  EXPECT_EQ(jump(clock, [&] { clock.thaw(); }), nanoseconds{0});
}

TEST(RunningClock, IgnoresARepeatedCallToRunOrThaw) {
  VirtualClock clock{clockStart};
  clock.run();
  letTimePass();
  EXPECT_EQ(jump(clock, [&] { clock.run(); }), nanoseconds{0});
  letTimePass();
  EXPECT_EQ(jump(clock, [&] { clock.thaw(); }), nanoseconds{0});
  letTimePass();
  EXPECT_LE(jump(clock, [&] { clock.advance(std::chrono::hours{1}); }), std::chrono::hours{1});
}

TEST(RunningClock, ContinuesFromTheTimeAtWhichItStopped) {
  VirtualClock clock{clockStart};
  letTimePass();
  EXPECT_EQ(jump(clock, [&] { clock.run(); }), nanoseconds{0});
  VirtualClock frozen{clockStart};
  frozen.freeze();
  frozen.run();
  letTimePass();
  EXPECT_EQ(frozen.now(), clockStart);
  EXPECT_EQ(jump(frozen, [&] { frozen.thaw(); }), nanoseconds{0});
}

TEST(RunningClock, CatchesUpWithALaterTime) {
  VirtualClock clock{clockStart};
  clock.run();
  const Instant later = clockStart + std::chrono::hours{1};
  expectToContinueFrom(later, clock, [&] { clock.catchUp(later); });
}

TEST(RunningClock, ContinuesFromTheTimeToWhichItIsAdvanced) {
  VirtualClock clock{clockStart};
  clock.run();
  const Instant later = clockStart + std::chrono::hours{1};
  expectToContinueFrom(later, clock, [&] { clock.advanceTo(later); });
}

TEST(RunningClock, ContinuesFromTheTimeOfARestoredSnapshot) {
  Service service{{.start = clockStart}};
  service.clock()->run();
  const Snapshot taken = service.snapshots().take();
  expectToContinueFrom(taken.clock().time, *service.clock(), [&] { service.snapshots().restore(taken); });
}

TEST(RunningClock, DoesNotMoveBackwardToCatchUp) {
  VirtualClock clock{clockStart};
  clock.run();
  letTimePass();
  EXPECT_EQ(jump(clock, [&] { clock.catchUp(clockStart); }), nanoseconds{0});
  EXPECT_EQ(jump(clock, [&] { clock.catchUp(Instant::min()); }), nanoseconds{0});
}

TEST(VirtualClock, CatchesUpOnlyWhileItRuns) {
  VirtualClock clock{clockStart};
  clock.catchUp(clockStart + seconds{1});
  EXPECT_EQ(clock.now(), clockStart);
  clock.freeze();
  clock.run();
  clock.catchUp(clockStart + seconds{1});
  EXPECT_EQ(clock.now(), clockStart);
}

TEST(VirtualClock, ReportsItsTimeAndWhetherItIsFrozenAndRunning) {
  VirtualClock clock{clockStart};
  EXPECT_EQ(clock.reading(), (VirtualClock::Reading{.time = clockStart}));
  clock.run();
  clock.freeze();
  EXPECT_EQ(clock.reading(), (VirtualClock::Reading{.time = clock.now(), .frozen = true, .running = true}));
}

TEST(VirtualClock, ReturnsTheReadingOfARestoredSnapshot) {
  Service service{{.start = clockStart}};
  const auto clock = service.clock();
  clock->run();
  clock->freeze();
  const Snapshot taken = service.snapshots().take();
  clock->advance(seconds{9});
  clock->thaw();
  service.snapshots().restore(taken);
  EXPECT_EQ(clock->reading(), taken.clock());
  letTimePass();
  EXPECT_EQ(jump(*clock, [&] { clock->thaw(); }), nanoseconds{0});
  EXPECT_TRUE(clock->running());
}

TEST(VirtualClock, SupportsTheEntireRangeOfTime) {
  VirtualClock clock{Instant::min()};
  EXPECT_TRUE(clock.sleepUntil(Instant::max(), {}));
  EXPECT_EQ(clock.now(), Instant::max());
  EXPECT_EQ(clock.sleepDurations(), std::vector<nanoseconds>{nanoseconds::max()});
  EXPECT_THROW(clock.advance(nanoseconds{1}), std::invalid_argument);
  clock.run();
  letTimePass();
  EXPECT_EQ(clock.now(), Instant::max());
  VirtualClock first{Instant::min()};
  first.advance(nanoseconds::max());
  EXPECT_EQ(first.now(), Instant::min() + nanoseconds::max());
}

}  // namespace

}  // namespace tally::fake
