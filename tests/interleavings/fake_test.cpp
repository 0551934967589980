// The parts of the fake that threads share.

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tally/client.h>
#include <tally/fake/service.h>
#include <tally/payment_records.h>

#include <gtest/gtest.h>

#include "interleavings/support/explore.h"
#include "interleavings/support/scheduler.h"

namespace tally::test {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds reportedAt{1'750'000'000s};

}  // namespace

TEST(Interleavings, NeverPreventAVirtualClockFromReachingTheLaterOfTwoWakeTimes) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    std::thread other{[&] { clock.sleepUntil(Instant{5s}, {}); }};
    clock.sleepUntil(Instant{3s}, {});
    other.join();
    check(clock.now() == Instant{5s}, "the clock shows another time");
  };
  testInterleavings(scenario);
}

TEST(Interleavings, NeverChangeTheOrderOfThreadsJoinedToAVirtualClock) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    std::vector<std::string> log;
    clock.runThreads(2, [&](std::size_t thread) {
      for (int i = 1; i <= 2; ++i) {
        clock.sleepUntil(clock.now() + 2s + thread * 1s, {});
        log.push_back(std::to_string(thread) + " at " + std::to_string(clock.now().time_since_epoch() / 1s));
      }
    });
    check(log == std::vector<std::string>{"0 at 2", "1 at 3", "0 at 4", "1 at 6"},
          "the threads ran in another order");
  };
  testInterleavings(scenario);
}

TEST(Interleavings, NeverLoseARequestToStopAWaitOnAVirtualClock) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    StopSource stop;
    std::thread other{[&] { check(!clock.waitUntil(Instant{5s}, stop.get_token()), "the time has come"); }};
    stop.request_stop();
    other.join();
  };
  testInterleavings(scenario);
}

TEST(Interleavings, NeverPreventAnAdvanceOfAFrozenClockFromEndingAWait) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    clock.freeze();
    std::thread other{[&] { check(clock.sleepUntil(Instant{5s}, {}), "the wait was stopped"); }};
    clock.advance(2s);
    clock.waitForSleepers(1);
    clock.advance(3s);
    other.join();
  };
  testInterleavings(scenario);
}

TEST(Interleavings, NeverLoseOrRepeatTheRingOfAnAlarm) {
  const auto scenario = [] {
    fake::VirtualClock clock{Instant{}};
    clock.freeze();
    int rings = 0;
    auto alarm = std::make_unique<fake::VirtualClock::Alarm>(clock, Instant{1s}, [&] { ++rings; });
    std::thread other{[&] { clock.advance(1s); }};
    clock.advance(1s);
    other.join();
    alarm.reset();
    check(rings == 1, "the alarm has rung " + std::to_string(rings) + " times");
  };
  testInterleavings(scenario);
}

TEST(Interleavings, NeverMixTwoReportsOnOneRecord) {
  const auto scenario = [] {
    fake::Service service;
    const fake::Account account = service.addAccount();
    const auto record = service.insert<PaymentRecord>(account.sandboxKey);
    const Client client{service.clientOptions(account.sandboxKey)};
    std::string canceled;
    std::thread other{[&] {
      const auto result = client.paymentRecords().reportCanceled(record.id, {.canceledAt = reportedAt});
      canceled = result ? "applied" : result.error().code();
    }};
    const auto guaranteed = client.paymentRecords().reportGuaranteed(record.id, {.guaranteedAt = reportedAt});
    other.join();
    check(guaranteed.has_value(), "the record can't be guaranteed");
    check(canceled == "applied" || canceled == "payment_attempt_already_guaranteed", canceled);
    const auto now = client.paymentRecords().retrieve(record.id);
    check(
        now && now->amountGuaranteed.value == record.amountRequested.value && now->amountCanceled.value == 0,
        "the record is not guaranteed");
    check(service.requests().size() == 3, "the log has the wrong number of requests");
  };
  testInterleavings(scenario, {.preemptions = 1, .seeds = 100, .maxSchedules = 2'000});
}

}  // namespace tally::test
