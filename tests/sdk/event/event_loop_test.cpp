#include "event/event_loop.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally::detail {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class TestTask final : public LoopTask {
 public:
  explicit TestTask(std::function<void()> work) : work_(std::move(work)) {}

 private:
  void run() override { work_(); }

  std::function<void()> work_;
};

class TestTimer final : public Timer {
 public:
  explicit TestTimer(std::function<void()> work) : work_(std::move(work)) {}

 private:
  void expired() override { work_(); }

  std::function<void()> work_;
};

struct EventLoopTest : testing::Test {
  test::TestClock clock{};
  EventLoop loop{clock, makeClockSource(clock)};
  std::vector<std::string> done{};

  [[nodiscard]] std::function<void()> note(std::string what) {
    return [this, what = std::move(what)] { done.push_back(what); };
  }
};

TEST_F(EventLoopTest, RunsTasksInTheOrderInWhichTheyWerePosted) {
  TestTask a{note("a")};
  TestTask b{note("b")};
  loop.post(b);
  loop.post(a);
  loop.poll();
  EXPECT_THAT(done, ElementsAre("b", "a"));
}

TEST_F(EventLoopTest, RunsATaskOncePerPost) {
  TestTask a{note("a")};
  loop.post(a);
  loop.poll();
  loop.wake();
  loop.poll();
  loop.post(a);
  loop.poll();
  EXPECT_THAT(done, ElementsAre("a", "a"));
}

TEST_F(EventLoopTest, DefersTasksPostedByATaskToTheNextTurn) {
  TestTask second{note("second")};
  TestTask first{[&] { loop.post(second); }};
  TestTimer timer{note("timer")};
  loop.set(timer, clock.now());
  loop.post(first);
  loop.poll();
  EXPECT_THAT(done, ElementsAre("timer"));
  loop.poll();
  EXPECT_THAT(done, ElementsAre("timer", "second"));
}

TEST_F(EventLoopTest, LetsATaskDestroyAnotherThatHasRun) {
  auto task = std::make_unique<TestTask>([] {});
  TestTask destroyer{[&] { task.reset(); }};
  TestTask last{note("last")};
  loop.post(*task);
  loop.post(destroyer);
  loop.post(last);
  loop.poll();
  EXPECT_THAT(done, ElementsAre("last"));
}

TEST_F(EventLoopTest, DoesNotRunAWithdrawnTask) {
  TestTask a{note("a")};
  TestTask b{note("b")};
  TestTask c{note("c")};
  for (TestTask* task : {&a, &b, &c})
    loop.post(*task);
  loop.withdraw(c);
  loop.withdraw(a);
  loop.post(a);
  loop.poll();
  loop.withdraw(b);
  EXPECT_THAT(done, ElementsAre("b", "a"));
}

TEST_F(EventLoopTest, LetsATaskWithdrawLaterTasks) {
  TestTask next{note("next")};
  TestTask last{note("last")};
  TestTask posted{note("posted")};
  TestTask first{[&] {
    loop.post(posted);
    loop.withdraw(next);
    loop.withdraw(posted);
  }};
  for (TestTask* task : {&first, &next, &last})
    loop.post(*task);
  loop.poll();
  loop.wake();
  loop.poll();
  EXPECT_THAT(done, ElementsAre("last"));
}

/// Calls a function instead of waiting.
class CalledSource final : public EventSource {
 public:
  explicit CalledSource(std::function<void()> work) : work_(std::move(work)) {}
  void waitUntil(Instant) override { work_(); }
  void wake() noexcept override {}

 private:
  std::function<void()> work_;
};

TEST_F(EventLoopTest, AcceptsATaskOfferedDuringATurn) {
  std::vector<bool> accepted;
  TestTask offered{note("offered")};
  const auto offer = [&] { accepted.push_back(loop.postIfTurning(offered)); };
  TestTask offering{offer};
  offer();
  loop.post(offering);
  loop.poll();
  EXPECT_THAT(done, IsEmpty());
  loop.poll();
  offer();
  EXPECT_TRUE(loop.endIfIdle());
  EXPECT_THAT(accepted, ElementsAre(false, true, false));
  EXPECT_THAT(done, ElementsAre("offered"));
}

TEST_F(EventLoopTest, RefusesATaskOfferedDuringATurnWhileItWaits) {
  TestTask offered{note("offered")};
  EventLoop* waiting = nullptr;
  bool accepted = true;
  EventLoop called{clock,
                   std::make_unique<CalledSource>([&] { accepted = waiting->postIfTurning(offered); })};
  waiting = &called;
  called.poll();
  EXPECT_FALSE(accepted);
}

TEST_F(EventLoopTest, RefusesATaskOfferedDuringATurnAfterItHasEnded) {
  TestTask offered{note("offered")};
  bool accepted = true;
  TestTask offering{[&] {
    EXPECT_TRUE(loop.endIfIdle());
    accepted = loop.postIfTurning(offered);
  }};
  loop.post(offering);
  loop.poll();
  EXPECT_FALSE(accepted);
}

TEST_F(EventLoopTest, ContinuesAfterATaskThatThrows) {
  TestTask broken{[] { throw std::runtime_error{"broken"}; }};
  TestTask next{note("next")};
  TestTask later{note("later")};
  loop.post(broken);
  loop.post(next);
  EXPECT_THROW(loop.poll(), std::runtime_error);
  loop.post(later);
  EXPECT_FALSE(loop.isCurrent());
  loop.poll();
  loop.poll();
  EXPECT_THAT(done, ElementsAre("next", "later"));
}

TEST_F(EventLoopTest, AdvancesTheClockToOneTimerAtATime) {
  std::vector<Instant> times;
  TestTimer later{[&] { times.push_back(loop.now()); }};
  TestTimer sooner{[&] { times.push_back(loop.now()); }};
  const Instant begin = loop.now();
  loop.set(later, begin + 3s);
  loop.set(sooner, begin + 1s);
  loop.poll();
  EXPECT_THAT(times, ElementsAre(begin + 1s));
  loop.poll();
  EXPECT_THAT(times, ElementsAre(begin + 1s, begin + 3s));
  EXPECT_THAT(clock.sleeps, ElementsAre(1s, 2s));
}

TEST_F(EventLoopTest, ExpiresSimultaneousTimersInTheOrderInWhichTheyWereSet) {
  TestTimer a{note("a")};
  TestTimer b{note("b")};
  TestTimer c{note("c")};
  for (TestTimer* timer : {&a, &b, &c})
    loop.set(*timer, clock.now() + 1s);
  loop.set(a, clock.now() + 1s);
  for (int i = 0; i < 3; ++i)
    loop.poll();
  EXPECT_THAT(done, ElementsAre("b", "c", "a"));
}

TEST_F(EventLoopTest, MovesATimerThatIsSetAgain) {
  TestTimer moved{note("moved")};
  TestTimer other{note("other")};
  loop.set(moved, clock.now() + 1s);
  loop.set(other, clock.now() + 2s);
  loop.set(moved, clock.now() + 3s);
  loop.poll();
  EXPECT_THAT(done, ElementsAre("other"));
  EXPECT_TRUE(moved.isSet());
  loop.poll();
  EXPECT_FALSE(moved.isSet());
  EXPECT_THAT(done, ElementsAre("other", "moved"));
}

TEST_F(EventLoopTest, LetsATimerCancelOrDestroyAnother) {
  auto destroyed = std::make_unique<TestTimer>(note("destroyed"));
  TestTimer canceled{note("canceled")};
  TestTimer last{note("last")};
  TestTimer first{[&] {
    loop.cancel(canceled);
    destroyed.reset();
  }};
  for (TestTimer* timer : {&first, &canceled, destroyed.get(), &last})
    loop.set(*timer, clock.now() + 1s);
  loop.poll();
  loop.poll();
  EXPECT_THAT(done, ElementsAre("last"));
}

TEST_F(EventLoopTest, LetsATimerSetItselfAgain) {
  int expired = 0;
  TestTimer timer{[&] {
    if (++expired < 3) loop.set(timer, loop.now() + 1s);
  }};
  loop.set(timer, clock.now() + 1s);
  for (int i = 0; i < 3; ++i)
    loop.poll();
  EXPECT_EQ(expired, 3);
  EXPECT_THAT(clock.sleeps, ElementsAre(1s, 1s, 1s));
}

TEST_F(EventLoopTest, ContinuesAfterATimerThatThrows) {
  TestTimer broken{[] { throw std::runtime_error{"broken"}; }};
  TestTimer next{note("next")};
  loop.set(broken, clock.now());
  loop.set(next, clock.now());
  EXPECT_THROW(loop.poll(), std::runtime_error);
  loop.poll();
  EXPECT_THAT(done, ElementsAre("next"));
}

TEST_F(EventLoopTest, DoesNotWaitWhileThereAreTasks) {
  TestTask task{note("task")};
  TestTimer timer{note("timer")};
  loop.set(timer, clock.now() + 1s);
  loop.post(task);
  loop.poll();
  EXPECT_THAT(done, ElementsAre("task"));
  EXPECT_TRUE(clock.sleeps.empty());
}

TEST_F(EventLoopTest, DoesNotWaitAfterAWakeUp) {
  TestTimer timer{note("timer")};
  loop.set(timer, clock.now() + 1s);
  loop.wake();
  loop.poll();
  EXPECT_TRUE(clock.sleeps.empty());
  loop.poll();
  EXPECT_THAT(done, ElementsAre("timer"));
}

TEST_F(EventLoopTest, RecognizesItsOwnThread) {
  TestTask task{[&] {
    EXPECT_TRUE(loop.isCurrent());
    std::jthread{[&] { EXPECT_FALSE(loop.isCurrent()); }};
  }};
  EXPECT_FALSE(loop.isCurrent());
  loop.post(task);
  loop.poll();
  EXPECT_FALSE(loop.isCurrent());
}

TEST_F(EventLoopTest, DetachesTimersThatOutliveIt) {
  TestTimer timer{note("timer")};
  {
    EventLoop other{clock, makeClockSource(clock)};
    other.set(timer, clock.now() + 1s);
  }
  EXPECT_FALSE(timer.isSet());
}

/// Posts from several threads to a loop that waits on the system's clock without a timer, so that only posts
/// wake it.
TEST(EventLoopThreads, CanWakeAWaitingLoop) {
  constexpr int threads = 4;
  constexpr int rounds = 2'000;
  const auto clock = systemClock();
  EventLoop loop{*clock, makeClockSource(*clock)};
  int ran = 0;
  std::array<std::atomic<int>, threads> ranOf{};
  std::vector<std::jthread> posters;
  for (std::atomic<int>& own : ranOf)
    posters.emplace_back([&] {
      TestTask task{[&] {
        ++ran;
        ++own;
        own.notify_one();
      }};
      for (int round = 0; round < rounds; ++round) {
        loop.post(task);
        own.wait(round);
      }
    });
  while (ran < threads * rounds)
    loop.poll();
  posters.clear();
  EXPECT_EQ(ran, threads * rounds);
}

TEST(EventLoopThreads, CanWakeALoopThatWaitsForATimer) {
  const auto clock = systemClock();
  EventLoop loop{*clock, makeClockSource(*clock)};
  TestTimer never{[] { ADD_FAILURE(); }};
  loop.set(never, clock->now() + 1h);
  const std::jthread waker{[&] { loop.wake(); }};
  loop.poll();
  EXPECT_TRUE(never.isSet());
}

}  // namespace
}  // namespace tally::detail
