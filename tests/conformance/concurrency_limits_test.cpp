// Spec: "Limits": "Concurrency limits bound the number of requests in progress at one moment", and the row
// "Payouts" with its number.

#include <thread>

#include "conformance/support/limit_conformance.h"

namespace tally::conformance {
namespace {

using namespace std::chrono_literals;

/// Requests take 50 ms, and stay in progress that long after handle() has returned.
class ConcurrencyLimits : public LimitConformance {
 protected:
  ConcurrencyLimits() : LimitConformance(fake::ServiceOptions{}) {
    switchOff(globalRate.limit);
    switchOff(endpointRate.limit);
  }

  static constexpr nanoseconds duration = 50ms;
  const std::string& key = account.liveKey;
  HttpRequest list = listRecords(key);

  /// Exactly `number` requests can be in progress at once, and all units are free exactly at their end.
  void expectPlaces(const Row& row, int number, const Turns& turns) {
    const Instant begin = service.clock()->now();
    EXPECT_EQ(admitted(number, turns), number);
    EXPECT_TRUE(refusedBy(row, turns.front()));
    goTo(begin + duration - 1ns);
    EXPECT_TRUE(refusedBy(row, turns.front()));
    goTo(begin + duration);
    EXPECT_EQ(admitted(number + 1, turns), number);
  }
};

using GlobalConcurrencyLimit = ConcurrencyLimits;
using EndpointConcurrencyLimit = ConcurrencyLimits;

TEST_F(ConcurrencyLimits, AreDisabledUntilTheyAreSet) {
  EXPECT_EQ(admitted(500, listsBy(key)), 500);
  const auto held = service.holds().takeConcurrency(key, "payment_records.list", 1'000'000);
  EXPECT_EQ(admitted(1, list), 1);
}

TEST_F(GlobalConcurrencyLimit, CountsDifferentOperationsTogether) {
  setNumber(globalConcurrency.limit, 3);
  for (const std::string& each : keys())
    expectPlaces(globalConcurrency, 3, listsBy(each));
}

TEST_F(EndpointConcurrencyLimit, CountsEachOperationAcrossObjects) {
  setNumber(endpointConcurrency.limit, 2);
  for (const std::string& each : keys())
    expectPlaces(endpointConcurrency, 2,
                 {test::get(each, "/v1/payment_records/pr_1"), test::get(each, "/v1/payment_records/pr_2")});
  EXPECT_EQ(admitted(2, listRecords(key)), 2);
}

TEST_F(ConcurrencyLimits, AreSeparateForEachModeAndAccount) {
  setNumber(globalConcurrency.limit, 1);
  EXPECT_EQ(admitted(2, list), 1);
  EXPECT_EQ(admitted(2, listRecords(account.sandboxKey)), 1);
  EXPECT_EQ(admitted(2, listRecords(service.addAccount().liveKey)), 1);
}

TEST_F(ConcurrencyLimits, CountRequestsAgainstTheAccountThatSendsThem) {
  const auto connected = service.addAccount();
  service.connections().connect(account, connected);
  setNumber(globalConcurrency.limit, 1);
  EXPECT_EQ(admitted(1, onBehalfOf(connected, list)), 1);
  EXPECT_TRUE(refusedBy(globalConcurrency, list));
  EXPECT_EQ(admitted(1, listRecords(connected.liveKey)), 1);
}

TEST_F(ConcurrencyLimits, ReleaseEachSlotWhenItsRequestEnds) {
  setNumber(globalConcurrency.limit, 2);
  EXPECT_EQ(admitted(1, list), 1);
  goTo(start + 20ms);
  EXPECT_EQ(admitted(2, list), 1);
  goTo(start + 50ms);
  EXPECT_EQ(admitted(2, list), 1);
  goTo(start + 70ms - 1ns);
  EXPECT_TRUE(refusedBy(globalConcurrency, list));
  goTo(start + 70ms);
  EXPECT_EQ(admitted(2, list), 1);
}

TEST_F(ConcurrencyLimits, CountEachRequestForTheDurationOfItsOperation) {
  setNumber(endpointConcurrency.limit, 1);
  service.durations().set("payment_records.list", 2s);
  const HttpRequest other = test::get(key, "/v1/invoices");
  EXPECT_EQ(admitted(1, list) + admitted(1, other), 2);
  goTo(start + 50ms);
  EXPECT_EQ(admitted(2, other), 1);
  goTo(start + 2s - 1ns);
  EXPECT_TRUE(refusedBy(endpointConcurrency, list));
  goTo(start + 2s);
  EXPECT_EQ(admitted(2, list), 1);
}

TEST_F(ConcurrencyLimits, CountARequestDuringItsInjectedLatency) {
  setNumber(globalConcurrency.limit, 1);
  service.faults().inject({.latency = 1s});
  EXPECT_EQ(admitted(1, list), 1);
  goTo(start + 1s + 50ms - 1ns);
  EXPECT_TRUE(refusedBy(globalConcurrency, list));
  goTo(start + 1s + 50ms);
  EXPECT_EQ(admitted(1, list), 1);
}

TEST_F(ConcurrencyLimits, CountFailedRequestsButNotRefusedOnes) {
  setNumber(globalConcurrency.limit, 2);
  EXPECT_EQ(admitted(1, test::get(key, "/v1/payment_records/pr_nobody")), 1);
  goTo(start + 10ms);
  EXPECT_EQ(admitted(100, list), 1);
  EXPECT_EQ(usageOf(account, globalConcurrency.limit, true).used, 2);
}

TEST_F(ConcurrencyLimits, CountSlotsHeldByATest) {
  setNumber(globalConcurrency.limit, 4);
  setNumber(endpointConcurrency.limit, 2);
  const HttpRequest other = test::get(key, "/v1/invoices");
  {
    const auto held = service.holds().takeConcurrency(key, "payment_records.list", 2);
    EXPECT_TRUE(refusedBy(endpointConcurrency, list));
    EXPECT_EQ(admitted(1, other), 1);
    auto anything = service.holds().takeConcurrency(key, "");
    EXPECT_TRUE(refusedBy(globalConcurrency, other));
    anything.release();
    EXPECT_EQ(admitted(2, other), 1);
    EXPECT_TRUE(refusedBy(globalConcurrency, list));
  }
  EXPECT_EQ(admitted(3, list), 2);
}

TEST_F(ConcurrencyLimits, CountRequestsThatWaitForALock) {
  constexpr std::size_t threads = 3;
  switchOff("payment_intent_updates");
  setNumber(endpointConcurrency.limit, threads);
  const auto update = updateIntent(key, service.insert<PaymentIntent>(key).id);
  const auto other = updateIntent(key, service.insert<PaymentIntent>(key).id);
  const auto locked = update.url.substr(update.url.rfind('/') + 1);
  service.clock()->freeze();
  auto lock = service.holds().lockObject(key, locked);
  std::vector<int> statuses(threads);
  {
    std::vector<std::jthread> waiting;
    for (int& status : statuses)
      waiting.emplace_back([&] { status = service.handle(update).status; });
    service.clock()->waitForSleepers(threads);
    EXPECT_TRUE(refusedBy(endpointConcurrency, other));
    EXPECT_EQ(usageOf(account, endpointConcurrency.limit, true, "payment_intents.update").used, 3);
    lock.release();
  }
  EXPECT_EQ(statuses, (std::vector<int>{200, 200, 200}));
  EXPECT_EQ(admitted(1, other), 1);
}

class PayoutConcurrencyLimit : public ConcurrencyLimits {
 protected:
  PayoutConcurrencyLimit() { switchOff("payout_creation"); }

  const Row inProgress{"payouts_in_progress", "endpoint-concurrency"};
};

TEST_F(PayoutConcurrencyLimit, CountsAllPayoutOperationsTogether) {
  for (const std::string& each : keys())
    expectPlaces(inProgress, 30,
                 {createPayout(each), test::get(each, "/v1/payouts"), test::get(each, "/v1/payouts/po_1")});
}

TEST_F(PayoutConcurrencyLimit, AppliesInAdditionToTheRateLimits) {
  const auto other = service.addAccount();
  service.limits().set(other, {.limit = endpointRate.limit, .value = 25});
  service.limits().set(other, {.limit = "payout_creation", .value = 15});
  EXPECT_EQ(admitted(15, createPayout(other.liveKey)), 15);
  EXPECT_EQ(admitted(16, test::get(other.liveKey, "/v1/payouts")), 15);
  EXPECT_TRUE(refusedBy(inProgress, createPayout(other.liveKey)));
}

TEST_F(PayoutConcurrencyLimit, CountsSlotsHeldByATest) {
  auto held = service.holds().takeConcurrency(key, "payouts.retrieve", 29);
  EXPECT_EQ(admitted(1, createPayout(key)), 1);
  EXPECT_TRUE(refusedBy(inProgress, test::get(key, "/v1/payouts")));
  EXPECT_EQ(admitted(1, createPayout(account.sandboxKey)), 1);
  held.release();
  EXPECT_EQ(admitted(40, createPayout(key)), 29);
}

TEST_F(PayoutConcurrencyLimit, DoesNotCountSlotsHeldForOtherOperations) {
  const auto anything = service.holds().takeConcurrency(key, "", 30);
  const auto records = service.holds().takeConcurrency(key, "payment_records.list", 30);
  EXPECT_EQ(admitted(31, createPayout(key)), 30);
  EXPECT_EQ(admitted(1, list), 1);
}

/// Each call ends before the next begins, so they are never in progress at the same time.
TEST_F(PayoutConcurrencyLimit, IsNeverReachedBySequentialCalls) {
  const Client client{service.clientOptions(key)};
  for (int i = 0; i < 40; ++i)
    EXPECT_TRUE(client.payouts().create({.amount = 5, .currency = "eur"}));
  EXPECT_EQ(service.clock()->now(), start + 40 * duration);
}

}  // namespace
}  // namespace tally::conformance
