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

}  // namespace

}  // namespace tally::fake
