// The parts of the client that threads share. Each scenario is small, so that all its interleavings can be
// explored.

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include <tally/clock.h>
#include <tally/fake/virtual_clock.h>
#include <tally/memory_share.h>

#include <gtest/gtest.h>

#include "attempt/retry_tokens.h"
#include "call/mutation_queues.h"
#include "event/event_loop.h"
#include "interleavings/support/critical.h"
#include "interleavings/support/explore.h"
#include "interleavings/support/scheduler.h"

namespace tally::detail {

namespace {

using namespace std::chrono_literals;
using test::check;
using test::Critical;
using test::testInterleavings;

struct Task final : LoopTask {
  void run() override { hasRun = true; }
  bool hasRun = false;
};

}  // namespace

TEST(Interleavings, NeverLetTwoCallsPassAMutationQueueAtOnce) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    MutationQueues queues{10};
    Critical object;
    const auto call = [&] {
      MutationQueues::Place place{queues, "pr_1"};
      check(place.joined(), "the queue is full");
      check(place.await(clock, Instant::max(), {}), "a call is not admitted");
      object.enter();
    };
    std::thread other{call};
    call();
    other.join();
    check(queues.counts().inProgress == 0 && queues.counts().waiting == 0, "a call has not left its queue");
  };
  testInterleavings(scenario);
}

TEST(Interleavings, NeverBlockAMutationQueueWhenAWaitingCallIsStopped) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    MutationQueues queues{10};
    Critical object;
    StopSource stop;
    const auto call = [&](const StopToken& token) {
      MutationQueues::Place place{queues, "pr_1"};
      if (place.await(clock, Instant::max(), token)) object.enter();
    };
    std::thread first{call, StopToken{}};
    std::thread second{call, stop.get_token()};
    stop.request_stop();
    first.join();
    second.join();
    check(queues.counts().inProgress == 0, "a call has not left its queue");
  };
  testInterleavings(scenario);
}

TEST(Interleavings, NeverLoseOrDuplicateARetryToken) {
  const auto scenario = [] {
    RetryTokens tokens{{.maxTokens = 2, .tokensPerSuccess = 1}};
    std::atomic<int> taken = 0;
    const auto call = [&] {
      if (tokens.take()) ++taken;
      if (tokens.take()) {
        ++taken;
        tokens.giveBack();
        --taken;
      }
    };
    std::thread other{call};
    call();
    other.join();
    int left = 0;
    while (tokens.take())
      ++left;
    check(taken + left == 2,
          std::to_string(taken) + " tokens are taken, " + std::to_string(left) + " are left");
  };
  testInterleavings(scenario);
}

TEST(Interleavings, NeverLoseATaskPostedWhileAnEventLoopBeginsToWait) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    EventLoop loop{clock, makeClockSource(clock)};
    Task task;
    std::thread other{[&] { check(loop.post(task), "the loop has ended"); }};
    while (!task.hasRun)
      loop.poll();
    other.join();
  };
  testInterleavings(scenario);
}

TEST(Interleavings, NeverLoseATaskPostedWhileAnEventLoopEnds) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    EventLoop loop{clock, makeClockSource(clock)};
    Task task;
    bool isPosted = false;
    std::thread other{[&] { isPosted = loop.post(task); }};
    while (!loop.endIfIdle())
      loop.poll();
    other.join();
    check(isPosted == task.hasRun, "a task is neither run nor refused");
  };
  testInterleavings(scenario);
}

TEST(Interleavings, NeverLoseTheWakeUpOfAnEventLoop) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    EventLoop loop{clock, makeClockSource(clock)};
    std::thread other{[&] { loop.wake(); }};
    loop.poll();  // would wait forever without it
    other.join();
  };
  testInterleavings(scenario);
}

}  // namespace tally::detail
