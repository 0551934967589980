// Threads that have joined a clock: time passes as on a real clock, and every run is the same.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <tally/fake/service.h>
#include <tally/fake/snapshot.h>
#include <tally/fake/virtual_clock.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/no_more_threads.h"

namespace tally::fake {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::ElementsAreArray;

constexpr Instant joinedStart = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
/// A race shows in one of many runs.
constexpr int runs = 20;

/// What threads do, in order. They run one at a time, so it needs no mutex.
class JoinedThreads : public testing::Test {
 protected:
  /// Notes who runs, and the time since the start.
  void note(std::size_t thread) {
    notes.push_back(std::to_string(thread) + " at " + std::to_string((clock.now() - joinedStart) / 1s));
  }
  bool sleepFor(std::chrono::seconds time, std::stop_token stop = {}) {
    return clock.sleepUntil(clock.now() + time, std::move(stop));
  }
  std::vector<std::string> take() { return std::exchange(notes, {}); }

  /// Sets the clock back to its start.
  void restart() { service.snapshots().restore(beginning); }

  fake::Service service{{.start = joinedStart}};
  const fake::Snapshot beginning = service.snapshots().take();
  VirtualClock& clock = *service.clock();
  std::vector<std::string> notes{};
};

TEST_F(JoinedThreads, AdvanceTimeToTheEarliestDeadlineOnceAllWait) {
  for (int run = 0; run < runs; ++run) {
    restart();
    clock.runThreads(3, [&](std::size_t n) {
      for (int i = 0; i < 2; ++i) {
        note(n);
        sleepFor(std::chrono::seconds{3 - n});
      }
      note(n);
    });
    EXPECT_THAT(take(), ElementsAre("0 at 0", "1 at 0", "2 at 0", "2 at 1", "1 at 2", "2 at 2", "0 at 3",
                                    "1 at 4", "0 at 6"));
    EXPECT_EQ(clock.now(), joinedStart + 6s);
  }
}

TEST_F(JoinedThreads, RunInTheOrderInWhichTheyBeganToWaitForTheSameTime) {
  clock.runThreads(4, [&](std::size_t n) {
    sleepFor(std::chrono::seconds{n == 0 ? 1 : 0});
    clock.sleepUntil(joinedStart + 5s, {});
    note(n);
  });
  EXPECT_THAT(take(), ElementsAre("1 at 5", "2 at 5", "3 at 5", "0 at 5"));
}

TEST_F(JoinedThreads, RunUntilTheyWait) {
  clock.runThreads(2, [&](std::size_t n) {
    note(n);
    std::this_thread::yield();
    clock.sleepUntil(clock.now(), {});
    note(n);
  });
  EXPECT_THAT(take(), ElementsAre("0 at 0", "0 at 0", "1 at 0", "1 at 0"));
}

TEST_F(JoinedThreads, TreatResponsesInFlightLikeSleeps) {
  clock.runThreads(2, [&](std::size_t n) {
    clock.passUntil(clock.now() + (n == 0 ? 2s : 1s), {});
    note(n);
  });
  EXPECT_THAT(take(), ElementsAre("1 at 1", "0 at 2"));
  EXPECT_TRUE(clock.sleepDurations().empty());
}

TEST_F(JoinedThreads, WaitForOneAnotherWithoutAdvancingTime) {
  std::stop_source done;
  clock.runThreads(2, [&](std::size_t n) {
    if (n == 0) {
      EXPECT_FALSE(clock.waitUntil(joinedStart + 9s, done.get_token()));
    } else {
      sleepFor(4s);
      done.request_stop();
    }
    note(n);
  });
  EXPECT_THAT(take(), ElementsAre("1 at 4", "0 at 4"));
}

TEST_F(JoinedThreads, AdvanceTimeOnlyToTheDeadlineOfAThreadThatWaitsForAnother) {
  clock.runThreads(2, [&](std::size_t n) {
    if (n == 0) {
      EXPECT_TRUE(clock.waitUntil(joinedStart + 2s, {}));
    } else {
      sleepFor(4s);
    }
    note(n);
  });
  EXPECT_THAT(take(), ElementsAre("0 at 2", "1 at 4"));
}

TEST_F(JoinedThreads, RunBeforeTimeAdvancesWhenTheyAreStopped) {
  for (int run = 0; run < runs; ++run) {
    restart();
    std::stop_source stop;
    clock.runThreads(3, [&](std::size_t n) {
      if (n == 0) {
        EXPECT_FALSE(sleepFor(9s, stop.get_token()));
      } else if (n == 1) {
        EXPECT_FALSE(clock.waitUntil(Instant::max(), stop.get_token()));
      } else {
        sleepFor(1s);
        stop.request_stop();
        note(n);
        sleepFor(1s);
      }
      note(n);
    });
    EXPECT_THAT(take(), ElementsAre("2 at 1", "0 at 1", "1 at 1", "2 at 2"));
  }
}

TEST_F(JoinedThreads, RunBeforeThreadsWithLaterDeadlinesWhenTheyAreStopped) {
  std::stop_source stop;
  clock.runThreads(3, [&](std::size_t n) {
    if (n == 0) {
      sleepFor(2s);
    } else if (n == 1) {
      clock.waitUntil(Instant::max(), stop.get_token());
    } else {
      sleepFor(1s);
      stop.request_stop();
      clock.advance(1s);
    }
    note(n);
  });
  EXPECT_THAT(take(), ElementsAre("2 at 2", "1 at 2", "0 at 2"));
}

TEST_F(JoinedThreads, RunAtTheCurrentTimeWhenAnOutsideThreadStopsThem) {
  for (int run = 0; run < runs; ++run) {
    restart();
    std::stop_source stop;
    std::jthread outside{[&] {
      clock.waitForSleepers(2);
      stop.request_stop();
    }};
    clock.runThreads(2, [&](std::size_t n) {
      EXPECT_FALSE(clock.waitUntil(joinedStart + 5s, stop.get_token()));
      if (n == 0) sleepFor(1s);
    });
    EXPECT_EQ(clock.now(), joinedStart + 1s);
  }
}

TEST_F(JoinedThreads, KeepTheirOrderWhenTheyAreStoppedBeforeAWait) {
  std::stop_source stopped;
  stopped.request_stop();
  clock.runThreads(2, [&](std::size_t n) {
    EXPECT_FALSE(clock.waitUntil(Instant::max(), stopped.get_token()));
    EXPECT_FALSE(sleepFor(1s, stopped.get_token()));
    EXPECT_FALSE(clock.passUntil(joinedStart + 1s, stopped.get_token()));
    note(n);
    sleepFor(1s);
    note(n);
  });
  EXPECT_THAT(take(), ElementsAre("0 at 0", "1 at 0", "0 at 1", "1 at 1"));
}

TEST_F(JoinedThreads, DoNotBlockOthersOnceTheyHaveFinished) {
  clock.runThreads(2, [&](std::size_t n) {
    if (n == 0) return;
    sleepFor(1s);
    note(n);
  });
  EXPECT_THAT(take(), ElementsAre("1 at 1"));
  EXPECT_TRUE(sleepFor(1s)) << "nobody has joined any more";
  EXPECT_EQ(clock.now(), joinedStart + 2s);
}

TEST_F(JoinedThreads, RethrowTheFirstExceptionOnceAllHaveEnded) {
  const auto work = [&](std::size_t n) {
    if (n == 1) throw std::runtime_error{"the second"};
    sleepFor(1s);
    note(n);
    if (n == 2) throw std::runtime_error{"the third"};
  };
  EXPECT_THAT([&] { clock.runThreads(4, work); }, testing::ThrowsMessage<std::runtime_error>("the second"));
  EXPECT_THAT(take(), ElementsAre("0 at 1", "2 at 1", "3 at 1"));
}

TEST_F(JoinedThreads, DoNotBlockOthersIfTheyCannotStart) {
  const auto joined = clock.join();
  std::jthread other{[&] {
    const test::NoMoreThreads none;
    EXPECT_THROW(clock.runThreads(3, [](std::size_t) { FAIL(); }), std::system_error);
  }};
  other.join();
  EXPECT_TRUE(sleepFor(1s));
  EXPECT_EQ(clock.now(), joinedStart + 1s);
}

TEST_F(JoinedThreads, TakeNoTimeIfThereAreNone) {
  clock.runThreads(0, [](std::size_t) { FAIL(); });
  EXPECT_EQ(clock.now(), joinedStart);
}

TEST_F(JoinedThreads, StopTheClockForOtherThreadsUntilTheyLeave) {
  for (int run = 0; run < runs; ++run) {
    restart();
    std::jthread other;
    {
      const auto joined = clock.join();
      other = std::jthread{[&] {
        EXPECT_TRUE(clock.sleepUntil(joinedStart + 9s, {}));
        EXPECT_EQ(clock.now(), joinedStart + 9s);
      }};
      clock.waitForSleepers(1);
      EXPECT_EQ(clock.now(), joinedStart) << "time stands for a thread that has not joined, too";
      EXPECT_TRUE(clock.sleepUntil(joinedStart + 4s, {}));
      EXPECT_EQ(clock.now(), joinedStart + 4s);
    }
    other.join();
  }
}

TEST_F(JoinedThreads, MayJoinAClockOnlyOnce) {
  const auto joined = clock.join();
  EXPECT_THROW((void)clock.join(), std::logic_error);
  EXPECT_THROW(clock.runThreads(1, [](std::size_t) {}), std::logic_error);
  VirtualClock another{joinedStart};
  EXPECT_NO_THROW((void)another.join());
}

TEST_F(JoinedThreads, WaitForTheirTurnIfTheyJoinLater) {
  for (int run = 0; run < runs; ++run) {
    std::atomic<bool> began = false;
    std::stop_source done;
    const auto joined = clock.join();
    const std::jthread other{[&] {
      const auto also = clock.join();
      began = true;
      done.request_stop();
    }};
    for (int i = 0; i < 10; ++i)
      std::this_thread::yield();
    EXPECT_FALSE(began);
    EXPECT_FALSE(clock.waitUntil(Instant::max(), done.get_token()));
    EXPECT_TRUE(began);
  }
}

TEST_F(JoinedThreads, RunInTheOrderOfTheirDeadlinesAfterALongAdvance) {
  std::jthread outside{[&] {
    clock.waitForSleepers(3);
    clock.advance(5s);
  }};
  clock.runThreads(3, [&](std::size_t n) {
    EXPECT_TRUE(clock.waitUntil(joinedStart + std::chrono::seconds{5 - n}, {}));
    note(n);
  });
  EXPECT_THAT(take(), ElementsAre("2 at 5", "1 at 5", "0 at 5")) << "the wait that ended first goes first";
}

TEST_F(JoinedThreads, TakeTurnsAtEachAdvanceOfAFrozenClock) {
  clock.freeze();
  std::jthread outside{[&] {
    for (int second = 0; second < 4; ++second) {
      clock.waitForSleepers(2);
      clock.advance(1s);
    }
  }};
  clock.runThreads(2, [&](std::size_t n) {
    for (int i = 0; i < 2; ++i) {
      sleepFor(2s);
      note(n);
    }
  });
  EXPECT_THAT(take(), ElementsAre("0 at 2", "1 at 2", "0 at 4", "1 at 4"));
}

TEST_F(JoinedThreads, AdvanceTimeToEachDeadlineInTurnAfterAThaw) {
  clock.freeze();
  std::jthread outside{[&] {
    clock.waitForSleepers(2);
    clock.thaw();
  }};
  clock.runThreads(2, [&](std::size_t n) {
    clock.sleepUntil(joinedStart + (n == 0 ? 8s : 5s), {});
    note(n);
  });
  EXPECT_THAT(take(), ElementsAre("1 at 5", "0 at 8"));
}

TEST_F(JoinedThreads, WaitInRealTimeOnARunningClock) {
  clock.run();
  const auto begin = std::chrono::steady_clock::now();
  clock.runThreads(2, [&](std::size_t n) {
    for (int i = 0; i < 2; ++i) {
      EXPECT_TRUE(clock.sleepUntil(clock.now() + 5ms, {}));
      notes.push_back(std::to_string(n));
    }
  });
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 10ms);
  EXPECT_EQ(notes.size(), 4U);
}

TEST_F(JoinedThreads, RunAtTheNewTimeWhenAnAdvancePassesTheirDeadlines) {
  clock.freeze();
  std::jthread outside{[&] {
    clock.waitForSleepers(2);
    clock.advanceTo(joinedStart + 60s);
  }};
  clock.runThreads(2, [&](std::size_t n) {
    sleepFor(std::chrono::seconds{n + 1});
    note(n);
  });
  EXPECT_THAT(take(), ElementsAre("0 at 60", "1 at 60"));
}

TEST_F(JoinedThreads, RecordTheirSleepsInOrder) {
  clock.runThreads(2, [&](std::size_t n) {
    sleepFor(std::chrono::seconds{n + 1});
    sleepFor(std::chrono::seconds{n + 3});
  });
  EXPECT_THAT(clock.sleepDurations(), ElementsAre(1s, 2s, 3s, 4s));
}

/// The order in which eight threads run at one instant.
std::vector<std::size_t> shuffled(std::uint64_t seed) {
  VirtualClock clock{joinedStart};
  clock.shuffle(seed);
  std::vector<std::size_t> order;
  clock.runThreads(8, [&](std::size_t n) {
    clock.sleepUntil(joinedStart + 1s, {});
    order.push_back(n);
  });
  return order;
}

TEST_F(JoinedThreads, RunInAnOrderDeterminedByTheSeedWhenShuffled) {
  const auto order = shuffled(1);
  for (int run = 0; run < runs; ++run)
    EXPECT_THAT(shuffled(1), ElementsAreArray(order));
  EXPECT_NE(shuffled(2), order);
  EXPECT_THAT(order, testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

}  // namespace

}  // namespace tally::fake
