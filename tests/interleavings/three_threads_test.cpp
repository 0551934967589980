// Three threads or more, which also meet in ways that two cannot. They have too many interleavings to explore
// all.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/client.h>
#include <tally/fake/service.h>
#include <tally/fake/virtual_clock.h>
#include <tally/memory_share.h>
#include <tally/pacer.h>
#include <tally/payment_records.h>

#include <gtest/gtest.h>

#include "attempt/retry_tokens.h"
#include "call/mutation_queues.h"
#include "event/event_loop.h"
#include "interleavings/support/critical.h"
#include "interleavings/support/explore.h"
#include "interleavings/support/scheduler.h"

namespace tally::test {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds canceledAt{1'750'000'000s};
constexpr Exploration mostlyRandom{.preemptions = 1, .seeds = 60, .maxSchedules = 200};
constexpr Exploration aFewCalls{.preemptions = 1, .seeds = 20, .maxSchedules = 50};

/// Runs the functions in a thread each, and waits for all of them.
void together(const std::vector<std::function<void()>>& functions) {
  std::vector<std::thread> threads;
  for (const auto& function : functions)
    threads.emplace_back(function);
  for (std::thread& thread : threads)
    thread.join();
}

struct Posted final : detail::LoopTask {
  void run() override { ++runs; }
  int runs = 0;
};

/// Where a walk has got to.
struct Walk {
  std::size_t records = 0;
  bool hasEnded = false;
  std::string problem{};
};

Task<> readRecords(AsyncPager<PaymentRecord>& pager, Walk& walk) {
  const Result<std::size_t> consumed = co_await pager.forEach([&](const PaymentRecord&) {
    ++walk.records;
    return true;
  });
  if (!consumed && consumed.error().kind() != ErrorKind::canceled) walk.problem = consumed.error().toString();
  walk.hasEnded = true;
}

}  // namespace

TEST(Interleavings, NeverAdmitTwoOfThreeCallsOnOneObjectAtOnce) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    detail::MutationQueues queues{10};
    std::array<Critical, 2> objects;
    const auto call = [&](std::size_t object) {
      detail::MutationQueues::Place place{queues, object == 0 ? "pr_1" : "pr_2"};
      check(place.joined() && place.await(clock, Instant::max(), {}), "a call is not admitted");
      objects[object].enter();
    };
    together({[&] { call(0); }, [&] { call(0); }, [&] { call(0); }, [&] { call(1); }});
    check(queues.counts().inProgress == 0 && queues.counts().waiting == 0, "a call has not left its queue");
  };
  testInterleavings(scenario, mostlyRandom);
}

TEST(Interleavings, NeverBlockTheCallBehindAStoppedOneInAMutationQueue) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    detail::MutationQueues queues{10};
    Critical object;
    StopSource stop;
    const auto call = [&](const StopToken& token) {
      detail::MutationQueues::Place place{queues, "pr_1"};
      const bool isAdmitted = place.await(clock, Instant::max(), token);
      check(isAdmitted || token.stop_requested(), "a call is not admitted");
      if (isAdmitted) object.enter();
    };
    together({[&] { call({}); }, [&] { call(stop.get_token()); }, [&] { call({}); },
              [&] { stop.request_stop(); }});
    check(queues.counts().inProgress == 0 && queues.counts().waiting == 0, "a call has not left its queue");
  };
  testInterleavings(scenario, mostlyRandom);
}

TEST(Interleavings, NeverLoseACallThatFitsIntoAMutationQueue) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    detail::MutationQueues queues{1};
    Critical object;
    std::atomic<int> admitted = 0;
    const auto call = [&] {
      detail::MutationQueues::Place place{queues, "pr_1"};
      if (!place.joined()) return;
      check(place.await(clock, Instant::max(), {}), "a call is not admitted");
      object.enter();
      ++admitted;
    };
    together({call, call, call});
    check(admitted >= 1, "no call is admitted");
    check(queues.counts().inProgress == 0 && queues.counts().waiting == 0, "a call has not left its queue");
  };
  testInterleavings(scenario, mostlyRandom);
}

TEST(Interleavings, NeverLoseOrDuplicateARetryTokenOfFourCalls) {
  const auto scenario = [] {
    detail::RetryTokens tokens{{.maxTokens = 2, .tokensPerSuccess = 1}};
    std::atomic<int> taken = 0;
    const auto takeAndReturn = [&] {
      if (tokens.take()) tokens.giveBack();
    };
    const auto take = [&] {
      if (tokens.take()) ++taken;
    };
    together({takeAndReturn, take, take, takeAndReturn});
    int left = 0;
    while (tokens.take())
      ++left;
    check(taken + left == 2,
          std::to_string(taken) + " tokens are taken, " + std::to_string(left) + " are left");
  };
  testInterleavings(scenario, mostlyRandom);
}

TEST(Interleavings, NeverLoseOrRepeatTasksThatTwoThreadsPostDuringAWakeUp) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    detail::EventLoop loop{clock, detail::makeClockSource(clock)};
    std::array<Posted, 2> tasks;
    std::thread first{[&] { check(loop.post(tasks[0]), "the loop has ended"); }};
    std::thread second{[&] { check(loop.post(tasks[1]), "the loop has ended"); }};
    std::thread third{[&] { loop.wake(); }};
    while (tasks[0].runs + tasks[1].runs < 2)
      loop.poll();
    first.join();
    second.join();
    third.join();
    check(tasks[0].runs == 1 && tasks[1].runs == 1, "a task has run twice");
  };
  testInterleavings(scenario, mostlyRandom);
}

TEST(Interleavings, NeverLoseTasksThatTwoThreadsPostWhileAnEventLoopEnds) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    detail::EventLoop loop{clock, detail::makeClockSource(clock)};
    std::array<Posted, 2> tasks;
    std::array<bool, 2> isPosted{};
    std::thread first{[&] { isPosted[0] = loop.post(tasks[0]); }};
    std::thread second{[&] { isPosted[1] = loop.post(tasks[1]); }};
    while (!loop.endIfIdle())
      loop.poll();
    first.join();
    second.join();
    for (std::size_t i = 0; i < 2; ++i)
      check(isPosted[i] == (tasks[i].runs == 1), "a task is neither run nor refused");
  };
  testInterleavings(scenario, mostlyRandom);
}

TEST(Interleavings, NeverPreventAVirtualClockFromReachingTheLatestOfThreeSleeps) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    const auto sleepUntil = [&](Instant time) {
      clock.sleepUntil(time, {});
      check(clock.now() >= time, "a sleep ends too early");
    };
    together({[&] { sleepUntil(Instant{3s}); }, [&] { sleepUntil(Instant{1s}); },
              [&] { sleepUntil(Instant{2s}); }});
    check(clock.now() == Instant{3s}, "the clock shows another time");
  };
  testInterleavings(scenario, mostlyRandom);
}

TEST(Interleavings, NeverPreventAnAdvanceOfAFrozenClockFromEndingTwoWaits) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    clock.freeze();
    const auto wait = [&](Instant time) { check(clock.sleepUntil(time, {}), "the wait was stopped"); };
    together({[&] { wait(Instant{1s}); }, [&] { wait(Instant{2s}); },
              [&] {
                clock.waitForSleepers(2);
                clock.advance(1s);
                clock.advance(1s);
              }});
  };
  testInterleavings(scenario, mostlyRandom);
}

TEST(Interleavings, NeverExposeTwoStatesOfARecordDuringThreeReports) {
  const auto scenario = [] {
    fake::Service service;
    const std::string key = service.addAccount().sandboxKey;
    const auto id = service.insert<PaymentRecord>(key).id;
    const Client client{service.clientOptions(key)};
    const auto cancel = [&] {
      check(client.paymentRecords().reportCanceled(id, {.canceledAt = canceledAt}).has_value(),
            "a report is refused");
    };
    const auto fail = [&] {
      check(client.paymentRecords().reportFailed(id, {.failedAt = canceledAt}).has_value(),
            "a report is refused");
    };
    const auto read = [&] {
      const auto record = client.paymentRecords().retrieve(id);
      check(record && (record->amountCanceled.value == 0 || record->amountFailed.value == 0),
            "a record has two states");
    };
    together({cancel, fail, cancel, read});
    check(service.requests().size() == 4, "the log has the wrong number of requests");
  };
  testInterleavings(scenario, aFewCalls);
}

TEST(Interleavings, NeverCauseARefusalWithThreePacersThatShareALimit) {
  const auto scenario = [] {
    fake::Service service;
    const std::string key = service.addAccount().sandboxKey;
    // Each process that joins has one unit, even if the others hold all.
    service.limits().set({.limit = "endpoint_rate", .value = 5});
    const LimitOverride three{.limit = "endpoint_rate", .value = 3};
    const auto id = service.insert<PaymentRecord>(key).id;
    const auto share = std::make_shared<MemoryShare>();
    const auto clock = service.clock();
    clock->runThreads(3, [&](std::size_t) {
      ClientOptions options = service.clientOptions(key);
      options.pacer = std::make_shared<Pacer>(PacerOptions{.limits = {three}, .share = share});
      const Client client{options};
      for (int i = 0; i < 2; ++i) {
        check(client.paymentRecords().retrieve(id).has_value(), "a request is refused");
        (void)options.pacer->refreshShare(*clock);
      }
    });
  };
  testInterleavings(scenario, aFewCalls);
}

TEST(Interleavings, NeverCorruptThePacerCountsWhileAShareIsRefreshedAndLeft) {
  const auto scenario = [] {
    fake::Service service;
    const std::string key = service.addAccount().sandboxKey;
    const auto id = service.insert<PaymentRecord>(key).id;
    const auto pacer = std::make_shared<Pacer>(PacerOptions{.share = std::make_shared<MemoryShare>()});
    ClientOptions options = service.clientOptions(key);
    options.pacer = pacer;
    const Client client{options};
    const auto clock = service.clock();
    clock->runThreads(3, [&](std::size_t thread) {
      if (thread == 0) check(client.paymentRecords().retrieve(id).has_value(), "a call fails");
      if (thread == 1) (void)pacer->refreshShare(*clock);
      if (thread == 2) pacer->leaveShare(*clock);
    });
    (void)pacer->refreshShare(*clock);
    check(pacer->shareState().problem.empty(), pacer->shareState().problem);
    check(pacer->counts().waiting == 0 && pacer->counts().inFlight == 0, "the pacer still counts a call");
  };
  testInterleavings(scenario, aFewCalls);
}

TEST(Interleavings, NeverCauseARefusalWithThreePacedThreads) {
  const auto scenario = [] {
    fake::Service service;
    const std::string key = service.addAccount().sandboxKey;
    const LimitOverride one{.limit = "endpoint_rate", .value = 1};
    service.limits().set(one);
    ClientOptions options = service.clientOptions(key);
    options.pacer = std::make_shared<Pacer>(PacerOptions{.limits = {one}});
    const Client client{options};
    const auto id = service.insert<PaymentRecord>(key).id;
    service.clock()->runThreads(3, [&](std::size_t) {
      check(client.paymentRecords().retrieve(id).has_value(), "a request is refused");
    });
    check(options.pacer->counts().waiting == 0 && options.pacer->counts().inFlight == 0,
          "the pacer still counts a call");
  };
  testInterleavings(scenario, aFewCalls);
}

TEST(Interleavings, NeverLoseOrRepeatCompletionsOfCallsFromTwoThreadsWhileAClientCloses) {
  const auto scenario = [] {
    fake::Service service;
    const std::string key = service.addAccount().sandboxKey;
    const std::string id = service.insert<PaymentRecord>(key).id.str();
    std::array<std::atomic<int>, 2> completions{};
    AsyncClient async{service.clientOptions(key)};
    const auto call = [&](std::atomic<int>& completed) {
      async.paymentRecords()
          .reportFailed(id, {.failedAt = canceledAt})
          .then([&](const Result<PaymentRecord>&) { ++completed; });
    };
    std::thread first{[&] { call(completions[0]); }};
    std::thread second{[&] { call(completions[1]); }};
    async.close(1h);
    first.join();
    second.join();
    check(completions[0] == 1 && completions[1] == 1, "a call has not completed exactly once");
  };
  testInterleavings(scenario, aFewCalls);
}

TEST(Interleavings, NeverKeepAnAsyncPagerFromEndingWhileItsClientCloses) {
  const auto scenario = [] {
    fake::Service service;
    const std::string key = service.addAccount().sandboxKey;
    for (int i = 0; i < 3; ++i)
      (void)service.insert<PaymentRecord>(key);
    Walk walk;
    {
      AsyncClient async{service.clientOptions(key)};
      auto pager = async.paymentRecords().list({.limit = 1}).prefetch();
      spawn(readRecords(pager, walk));
      std::thread closing{[&] { async.close(0s); }};
      async.close(1h);
      closing.join();
    }
    check(walk.hasEnded, "the walk has not ended");
    check(walk.problem.empty(), walk.problem);
    check(walk.records <= 3, std::to_string(walk.records) + " records");
  };
  testInterleavings(scenario, aFewCalls);
}

}  // namespace tally::test
