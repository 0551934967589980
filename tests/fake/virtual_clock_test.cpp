#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <tally/fake/virtual_clock.h>

#include <gtest/gtest.h>

namespace tally::fake {

namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr Instant start = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};

TEST(VirtualClock, BeginsWhereItIsTold) {
  EXPECT_EQ(VirtualClock{start}.now(), start);
}

TEST(VirtualClock, AWaitMovesTimeToItsEnd) {
  VirtualClock clock{start};
  EXPECT_TRUE(clock.sleepUntil(start + seconds{5}, {}));
  EXPECT_EQ(clock.now(), start + seconds{5});
  EXPECT_EQ(clock.slept(), std::vector<nanoseconds>{seconds{5}});
}

TEST(VirtualClock, NeverGoesBack) {
  VirtualClock clock{start};
  EXPECT_TRUE(clock.sleepUntil(start - seconds{5}, {}));
  EXPECT_EQ(clock.now(), start);
  EXPECT_TRUE(clock.slept().empty());
  EXPECT_THROW(clock.advance(seconds{-1}), std::invalid_argument);
  EXPECT_EQ(clock.now(), start);
}

TEST(VirtualClock, AStopInterruptsAWait) {
  VirtualClock clock{start};
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(clock.sleepUntil(start + seconds{5}, stop.get_token()));
  EXPECT_EQ(clock.now(), start);
  EXPECT_TRUE(clock.slept().empty());
}

TEST(VirtualClock, AdvancesWithoutAWait) {
  VirtualClock clock{start};
  clock.advance(seconds{3});
  EXPECT_EQ(clock.now(), start + seconds{3});
  EXPECT_TRUE(clock.slept().empty());
}

TEST(VirtualClock, OfSeveralThreadsTheLatestEndCounts) {
  VirtualClock clock{start};
  std::vector<std::jthread> threads;
  for (int n = 1; n <= 8; ++n)
    threads.emplace_back([&clock, n] { clock.sleepUntil(start + seconds{n}, {}); });
  threads.clear();
  EXPECT_EQ(clock.now(), start + seconds{8});
}

TEST(VirtualClock, ForgetsTheOldestWaits) {
  VirtualClock clock{start};
  for (std::size_t n = 0; n < VirtualClock::waitsKept; ++n)
    clock.sleepUntil(clock.now() + seconds{1}, {});
  clock.sleepUntil(clock.now() + seconds{2}, {});
  const auto slept = clock.slept();
  EXPECT_EQ(slept.size(), VirtualClock::waitsKept);
  EXPECT_EQ(slept.back(), seconds{2});
}

TEST(VirtualClock, FrozenAWaitIsForAdvance) {
  VirtualClock clock{start};
  clock.freeze();
  EXPECT_TRUE(clock.frozen());
  std::jthread waiting{[&] { EXPECT_TRUE(clock.sleepUntil(start + seconds{5}, {})); }};
  clock.awaitSleepers(1);
  EXPECT_EQ(clock.now(), start);
  clock.advance(seconds{4});
  clock.awaitSleepers(1);
  clock.advance(seconds{2});
  waiting.join();
  EXPECT_EQ(clock.now(), start + seconds{6}) << "the wait itself moved nothing";
  EXPECT_EQ(clock.slept(), std::vector<nanoseconds>{seconds{5}});
}

TEST(VirtualClock, FrozenAWaitThatIsOverTakesNoTime) {
  VirtualClock clock{start};
  clock.freeze();
  EXPECT_TRUE(clock.sleepUntil(start, {}));
  EXPECT_TRUE(clock.passUntil(start, {}));
}

TEST(VirtualClock, FrozenAWaitEndsWithAStop) {
  VirtualClock clock{start};
  clock.freeze();
  std::stop_source stop;
  std::jthread sleeping{[&] { EXPECT_FALSE(clock.sleepUntil(start + seconds{5}, stop.get_token())); }};
  std::jthread passing{[&] { EXPECT_FALSE(clock.passUntil(start + seconds{5}, stop.get_token())); }};
  clock.awaitSleepers(2);
  stop.request_stop();
  sleeping.join();
  passing.join();
  EXPECT_EQ(clock.now(), start);
}

TEST(VirtualClock, ThawedItsWaitsMoveTimeAgain) {
  VirtualClock clock{start};
  clock.freeze();
  std::jthread waiting{[&] { EXPECT_TRUE(clock.passUntil(start + seconds{5}, {})); }};
  clock.awaitSleepers(1);
  clock.thaw();
  waiting.join();
  EXPECT_FALSE(clock.frozen());
  EXPECT_EQ(clock.now(), start + seconds{5});
  EXPECT_TRUE(clock.sleepUntil(start + seconds{6}, {}));
  EXPECT_EQ(clock.now(), start + seconds{6});
}

TEST(VirtualClock, SetMovesItAnywhereAndEndsWaits) {
  VirtualClock clock{start};
  clock.set(start - seconds{9});
  EXPECT_EQ(clock.now(), start - seconds{9});
  clock.freeze();
  std::jthread waiting{[&] { EXPECT_TRUE(clock.sleepUntil(start, {})); }};
  clock.awaitSleepers(1);
  clock.set(start + seconds{9});
  waiting.join();
  EXPECT_EQ(clock.now(), start + seconds{9});
}

TEST(VirtualClock, PassingTimeIsNotSlept) {
  VirtualClock clock{start};
  EXPECT_TRUE(clock.passUntil(start + seconds{5}, {}));
  EXPECT_EQ(clock.now(), start + seconds{5});
  EXPECT_TRUE(clock.slept().empty());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(clock.passUntil(start + seconds{6}, stop.get_token()));
  EXPECT_EQ(clock.now(), start + seconds{5});
}

TEST(VirtualClock, AwaitsNoSleeperWhoseWaitIsOver) {
  VirtualClock clock{start};
  clock.freeze();
  constexpr int waits = 200;
  std::atomic<int> done = 0;
  std::jthread sleeper{[&] {
    for (int n = 1; n <= waits; ++n) {
      clock.sleepUntil(start + seconds{n}, {});
      done = n;
    }
  }};
  int late = 0;
  for (int n = 0; n < waits; ++n) {
    clock.awaitSleepers(1);
    if (done != n) ++late;
    clock.advance(seconds{1});
  }
  EXPECT_EQ(late, 0);
}

TEST(RunningClock, PassesTimeByItself) {
  VirtualClock clock{start};
  clock.run();
  while (clock.now() == start) {
  }
  const Instant before = clock.now();
  clock.advance(std::chrono::hours{1});
  EXPECT_GE(clock.now(), before + std::chrono::hours{1});
  EXPECT_LT(clock.now(), before + std::chrono::hours{2});
}

TEST(RunningClock, AWaitLastsAsLongAsItSays) {
  VirtualClock clock{start};
  clock.run();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(clock.sleepUntil(clock.now() + std::chrono::milliseconds{20}, {}));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds{20});
}

TEST(RunningClock, AStopOrAnAdvanceEndsAWait) {
  VirtualClock clock{start};
  clock.run();
  std::stop_source stop;
  bool came = true;
  std::jthread stopped{[&] { came = clock.sleepUntil(start + std::chrono::hours{9}, stop.get_token()); }};
  clock.awaitSleepers(1);
  stop.request_stop();
  stopped.join();
  EXPECT_FALSE(came);
  std::jthread advanced{[&] { came = clock.sleepUntil(start + std::chrono::hours{9}, {}); }};
  clock.awaitSleepers(1);
  clock.advance(std::chrono::hours{9});
  advanced.join();
  EXPECT_TRUE(came);
  std::jthread endless{[&] { came = clock.sleepUntil(Instant::max(), stop.get_token()); }};
  endless.join();
  EXPECT_FALSE(came);
}

TEST(RunningClock, StandsWhileItIsFrozen) {
  VirtualClock clock{start};
  clock.run();
  std::jthread waiting{[&] { clock.sleepUntil(start + std::chrono::hours{1}, {}); }};
  clock.awaitSleepers(1);
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
  clock.set(start);
  clock.advance(std::chrono::hours{1});
}

}  // namespace

}  // namespace tally::fake
