#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tally/fake/service.h>
#include <tally/fake/snapshot.h>
#include <tally/fake/virtual_clock.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::fake {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using Alarm = VirtualClock::Alarm;
using RealTime = std::chrono::steady_clock;

constexpr Instant alarmStart = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};

class AlarmTest : public testing::Test {
 protected:
  /// An alarm after `delay` that records its name.
  std::unique_ptr<Alarm> set(std::string name, std::chrono::nanoseconds delay) {
    return std::make_unique<Alarm>(clock, alarmStart + delay, recorded(std::move(name)));
  }
  std::function<void()> recorded(std::string name) {
    return [this, name = std::move(name)] { record(name); };
  }
  void record(const std::string& name) {
    const std::lock_guard lock{mutex};
    calls.push_back(name);
  }

  VirtualClock clock{alarmStart};
  std::mutex mutex{};
  std::vector<std::string> calls{};
};

TEST_F(AlarmTest, RingsOnceWhenAFrozenClockReachesItsTime) {
  clock.freeze();
  const auto alarm = set("alarm", seconds{5});
  EXPECT_EQ(alarm->realTime(), RealTime::time_point::max());
  clock.advance(seconds{4});
  EXPECT_THAT(calls, IsEmpty());
  clock.advance(seconds{1});
  EXPECT_THAT(calls, ElementsAre("alarm"));
  EXPECT_LT(alarm->realTime(), RealTime::now());
  clock.advance(seconds{5});
  clock.thaw();
  EXPECT_THAT(calls, ElementsAre("alarm"));
}

TEST_F(AlarmTest, RingsBeforeAlarmsThatAreDueLaterOrWereSetLater) {
  clock.freeze();
  const auto last = set("last", seconds{3});
  const auto first = set("first", seconds{1});
  const auto second = set("second", seconds{2});
  const auto third = set("third", seconds{2});
  clock.advance(seconds{9});
  EXPECT_THAT(calls, ElementsAre("first", "second", "third", "last"));
}

TEST_F(AlarmTest, AdvancesAnIdleClockToItsTimeWithoutRinging) {
  const auto alarm = set("alarm", seconds{5});
  EXPECT_EQ(clock.now(), alarmStart + seconds{5});
  EXPECT_LT(alarm->realTime(), RealTime::now());
  EXPECT_THAT(calls, IsEmpty());
}

TEST_F(AlarmTest, DoesNotRingIfItsTimeHasAlreadyCome) {
  clock.freeze();
  const auto alarm = set("alarm", seconds{0});
  clock.advance(seconds{1});
  EXPECT_LT(alarm->realTime(), RealTime::now());
  EXPECT_THAT(calls, IsEmpty());
}

TEST_F(AlarmTest, DoesNotRingAfterItsDestruction) {
  clock.freeze();
  auto canceled = set("canceled", seconds{1});
  const auto kept = set("kept", seconds{1});
  canceled.reset();
  clock.advance(seconds{1});
  EXPECT_THAT(calls, ElementsAre("kept"));
}

TEST_F(AlarmTest, MayBeDestroyedInItsCallback) {
  clock.freeze();
  std::optional<Alarm> alarm;
  alarm.emplace(clock, alarmStart + seconds{1}, [&, owned = std::make_shared<std::string>("alarm")] {
    alarm.reset();
    record(*owned);
  });
  clock.advance(seconds{1});
  EXPECT_THAT(calls, ElementsAre("alarm"));
  EXPECT_FALSE(alarm);
}

TEST_F(AlarmTest, MayDestroyAnotherDueAlarmInItsCallback) {
  clock.freeze();
  std::unique_ptr<Alarm> second;
  const Alarm first{clock, alarmStart + seconds{1}, [&] {
                      second.reset();
                      record("first");
                    }};
  second = set("second", seconds{1});
  clock.advance(seconds{1});
  EXPECT_THAT(calls, ElementsAre("first"));
}

/// The clock holds no lock: calls may use it, and alarms that come meanwhile follow.
TEST_F(AlarmTest, MaySetAnotherAlarmAndAdvanceTheClockInItsCallback) {
  clock.freeze();
  std::unique_ptr<Alarm> next;
  const Alarm first{clock, alarmStart + seconds{1}, [&] {
                      next = set("next", seconds{2});
                      clock.advance(seconds{1});
                      record("first");
                    }};
  clock.advance(seconds{1});
  EXPECT_THAT(calls, ElementsAre("first", "next"));
  EXPECT_EQ(clock.now(), alarmStart + seconds{2});
}

TEST_F(AlarmTest, RingsWhenAThawMovesTheClock) {
  clock.freeze();
  const auto later = set("later", seconds{7});
  const auto sooner = set("sooner", seconds{5});
  clock.thaw();
  EXPECT_EQ(clock.now(), alarmStart + seconds{7});
  EXPECT_THAT(calls, ElementsAre("sooner", "later"));
}

/// Time does not move on before a call has returned.
TEST_F(AlarmTest, StopsTheClockDuringItsCallback) {
  clock.freeze();
  const Alarm sooner{clock, alarmStart + seconds{5},
                     [&] { EXPECT_EQ(clock.now(), alarmStart + seconds{5}); }};
  const auto later = set("later", seconds{7});
  clock.thaw();
  EXPECT_EQ(clock.now(), alarmStart + seconds{7});
  EXPECT_THAT(calls, ElementsAre("later"));
}

TEST_F(AlarmTest, RingsWhenAnotherThreadSleepsPastItsTime) {
  clock.freeze();
  const auto alarm = set("alarm", seconds{5});
  std::jthread sleeper{[&] { clock.sleepUntil(alarmStart + seconds{6}, {}); }};
  clock.waitForSleepers(2);
  clock.thaw();
  sleeper.join();
  EXPECT_THAT(calls, ElementsAre("alarm"));
}

/// The same order in each run: joined threads wait for the calls of alarms.
TEST_F(AlarmTest, RingsBeforeJoinedThreadsContinue) {
  for (int round = 0; round < 100; ++round) {
    VirtualClock shared{alarmStart};
    std::vector<std::unique_ptr<Alarm>> alarms;
    calls.clear();
    shared.runThreads(2, [&](std::size_t number) {
      if (number == 0)
        for (const int delay : {1, 2})
          alarms.push_back(std::make_unique<Alarm>(shared, alarmStart + seconds{delay},
                                                   recorded("alarm " + std::to_string(delay))));
      shared.sleepUntil(alarmStart + seconds{1}, {});
      record("thread " + std::to_string(number));
      shared.sleepUntil(alarmStart + seconds{3}, {});
    });
    ASSERT_THAT(calls, ElementsAre("alarm 1", "thread 0", "thread 1", "alarm 2"));
  }
}

/// The owner looks at the clock at the real time, which nothing announces.
TEST_F(AlarmTest, IsDueInRealTimeWhileTheClockRuns) {
  clock.run();
  const auto before = RealTime::now();
  const auto alarm = set("alarm", seconds{60});
  const auto due = alarm->realTime();
  EXPECT_GT(due, before + seconds{30});
  EXPECT_LE(due, RealTime::now() + seconds{60});
  const auto distant = set("distant", hours{24 * 365 * 200});
  const auto farthest = distant->realTime();
  EXPECT_LE(farthest, RealTime::now() + hours{1});
  EXPECT_THAT(calls, IsEmpty());
}

TEST_F(AlarmTest, InvokesTheCallbackWhenItsRealTimeBecomesEarlier) {
  clock.freeze();
  clock.run();
  const auto alarm = set("alarm", hours{1});
  EXPECT_THAT(calls, IsEmpty());
  clock.thaw();
  EXPECT_THAT(calls, ElementsAre("alarm"));
  clock.advance(milliseconds{1});
  EXPECT_THAT(calls, ElementsAre("alarm", "alarm"));
  clock.freeze();
  EXPECT_EQ(alarm->realTime(), RealTime::time_point::max());
  EXPECT_THAT(calls, ElementsAre("alarm", "alarm")) << "its real time is further away";
  clock.advance(hours{1});
  EXPECT_THAT(calls, ElementsAre("alarm", "alarm", "alarm")) << "its time has come";
  clock.thaw();
  EXPECT_THAT(calls, ElementsAre("alarm", "alarm", "alarm"));
}

TEST_F(AlarmTest, RingsWhenASnapshotWithALaterTimeIsRestored) {
  Service service{{.start = alarmStart}};
  const auto shared = service.clock();
  shared->advance(seconds{9});
  const Snapshot later = service.snapshots().take();
  Service origin{{.start = alarmStart}};
  origin.clock()->freeze();
  const Alarm alarm{*origin.clock(), alarmStart + seconds{5}, recorded("alarm")};
  origin.snapshots().restore(later);
  EXPECT_THAT(calls, ElementsAre("alarm"));
}

TEST_F(AlarmTest, CountsAsASleeperWhileItWaits) {
  clock.freeze();
  const auto alarm = set("alarm", seconds{5});
  clock.waitForSleepers(1);
  clock.advance(seconds{5});
  clock.waitForSleepers(0);
}

}  // namespace

}  // namespace tally::fake
