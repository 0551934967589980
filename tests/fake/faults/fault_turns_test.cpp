// To which requests a fault happens, when, and how long their responses take.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/client.h>
#include <tally/fake/service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/requests.h"

namespace tally::test {

namespace {

using fake::FaultRule;
using fake::TextPattern;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using testing::ElementsAre;
using testing::IsEmpty;

/// A service whose requests take no time, and one payout request.
class ScheduledFaults : public testing::Test {
 protected:
  /// The status of a request, one digit.
  std::string pay(fake::Service& to, const std::string& form = "amount=500&currency=eur") {
    return std::to_string(to.handle(post(key, "/v1/payouts", form)).status / 100);
  }
  std::string pay(const std::string& form = "amount=500&currency=eur") { return pay(service, form); }
  std::string pays(fake::Service& to, int times) {
    std::string statuses;
    for (int i = 0; i < times; ++i)
      statuses += pay(to);
    return statuses;
  }
  std::string pays(int times) { return pays(service, times); }

  /// The latencies that a rule adds to `count` requests.
  std::vector<nanoseconds> latencies(FaultRule rule, int count) {
    rule.times = count;
    service.faults().inject(std::move(rule));
    (void)pays(count);
    std::vector<nanoseconds> drawn;
    for (const auto& request :
         service.requests().list(service.requests().size() - static_cast<std::size_t>(count)))
      drawn.push_back(request.addedLatency);
    return drawn;
  }

  fake::Service service{{.seed = 5, .duration = 0ns, .limits = false}};
  std::string key = service.addAccount().sandboxKey;
};

TEST_F(ScheduledFaults, MatchParametersMetadataAndHeaders) {
  service.faults().inject({.error = "api_error",
                           .params = {{"amount", "600"}},
                           .metadata = {{"order", TextPattern::containing("4")}},
                           .requestHeaders = {{"x-shop", TextPattern::absent()}}});
  EXPECT_EQ(pay("amount=600&currency=eur&metadata[order]=7"), "2");
  EXPECT_EQ(pay("amount=500&currency=eur&metadata[order]=42"), "2");
  HttpRequest fromAShop = post(key, "/v1/payouts", "amount=600&currency=eur&metadata[order]=42");
  fromAShop.headers.push_back({"X-Shop", "1"});
  EXPECT_EQ(service.handle(fromAShop).status, 200);
  EXPECT_EQ(pay("amount=600&currency=eur&metadata[order]=42"), "5");
}

TEST_F(ScheduledFaults, FireOnEveryNthRequest) {
  service.faults().inject({.operation = "payouts.create", .times = 2, .error = "api_error", .every = 3});
  EXPECT_EQ(pays(8), "22522522");
  EXPECT_THAT(service.faults().pending(), IsEmpty());
}

TEST_F(ScheduledFaults, WaitForARequestThatTheyCanAffect) {
  service.faults().inject(
      {.operation = "payouts.create", .fault = fake::Fault::errorAfterProcessing, .every = 2});
  EXPECT_EQ(pay(), "2");
  EXPECT_EQ(pay("amount=0"), "4");
  EXPECT_EQ(pay(), "5");
}

TEST_F(ScheduledFaults, FireOnTheirTurnsWithTheGivenProbability) {
  service.faults().inject(
      {.times = FaultRule::unlimited, .error = "api_error", .every = 2, .probability = 0.5});
  const std::string statuses = pays(1'000);
  for (std::size_t i = 0; i < statuses.size(); i += 2)
    ASSERT_EQ(statuses[i], '2') << i;
  EXPECT_NEAR(static_cast<double>(std::ranges::count(statuses, '5')), 250, 60);
}

/// The first rule lets its odd requests pass to the second.
TEST_F(ScheduledFaults, LeaveSkippedRequestsToOtherFaults) {
  service.faults().inject({.times = 2, .error = "api_error", .every = 2});
  service.faults().inject({.times = 2, .error = "resource_missing"});
  EXPECT_EQ(pays(5), "45452");
}

TEST_F(ScheduledFaults, FireWithTheGivenProbability) {
  service.faults().inject({.times = FaultRule::unlimited, .error = "api_error", .probability = 0.25});
  const std::string statuses = pays(4'000);
  const auto hit = std::ranges::count(statuses, '5');
  EXPECT_NEAR(static_cast<double>(hit), 1'000, 120);  // more than four standard deviations
  EXPECT_EQ(service.faults().list().front().hits, hit);
}

TEST_F(ScheduledFaults, AreReproducibleFromTheSeed) {
  const auto chance = [&](std::uint64_t seed) {
    fake::Service other{{.seed = seed, .duration = 0ns, .limits = false}};
    key = other.addAccount().sandboxKey;
    other.faults().inject({.times = FaultRule::unlimited, .error = "api_error", .probability = 0.5});
    return pays(other, 64);
  };
  EXPECT_EQ(chance(5), chance(5));
  EXPECT_NE(chance(5), chance(6));
}

TEST_F(ScheduledFaults, DoNotDependOnOtherFaults) {
  const auto chance = [&](bool another) {
    fake::Service other{{.duration = 0ns, .limits = false}};
    key = other.addAccount().sandboxKey;
    other.faults().inject({.times = FaultRule::unlimited, .error = "api_error", .probability = 0.5});
    if (another) other.faults().inject({.times = FaultRule::unlimited, .latency = 1ns, .probability = 0.5});
    return pays(other, 64);
  };
  EXPECT_EQ(chance(false), chance(true));
}

TEST_F(ScheduledFaults, ContinueInForksAndAfterASnapshotIsRestored) {
  service.faults().inject({.times = FaultRule::unlimited, .error = "api_error", .probability = 0.5});
  service.faults().inject({.times = FaultRule::unlimited, .error = "resource_missing", .every = 3});
  (void)pays(10);
  const fake::Snapshot snapshot = service.snapshots().take();
  fake::Service forked = service.fork();
  const std::string first = pays(64);
  EXPECT_EQ(pays(forked, 64), first);
  service.snapshots().restore(snapshot);
  EXPECT_EQ(service.faults().list().front().id, 1U);
  EXPECT_EQ(pays(64), first);
}

/// Chance decides once about a late fault, not each time that the request is looked at: the request has one
/// fault or the other.
TEST_F(ScheduledFaults, ApplyTheirProbabilityOncePerRequest) {
  service.faults().inject(
      {.times = FaultRule::unlimited, .fault = fake::Fault::errorAfterProcessing, .probability = 0.5});
  service.faults().inject({.times = FaultRule::unlimited, .error = "resource_missing"});
  const std::string statuses = pays(2'000);
  EXPECT_EQ(std::ranges::count(statuses, '2'), 0);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(statuses, '5')), 1'000, 100);
}

TEST_F(ScheduledFaults, FireOnlyDuringTheirPeriod) {
  service.faults().inject({.times = FaultRule::unlimited, .error = "api_error", .after = 10s, .period = 5s});
  const auto at = [&](nanoseconds time) {
    service.clock()->advanceTo(fake::ServiceOptions{}.start + time);
    return pay();
  };
  EXPECT_EQ(at(0s), "2");
  EXPECT_EQ(at(10s - 1ns), "2");
  EXPECT_EQ(at(10s), "5");
  EXPECT_EQ(at(15s - 1ns), "5");
  EXPECT_EQ(at(15s), "2");
  const fake::InjectedFault fault = service.faults().list().front();
  EXPECT_EQ(fault.from, fake::ServiceOptions{}.start + 10s);
  EXPECT_EQ(fault.until, fake::ServiceOptions{}.start + 15s);
  EXPECT_EQ(fault.hits, 2);
}

TEST_F(ScheduledFaults, DoNotOverflowWithLongPeriods) {
  const nanoseconds century = std::chrono::years{100};
  service.clock()->advanceTo(Instant::max() - 1h);
  service.faults().inject({.error = "api_error", .latency = century, .after = 1min, .period = century});
  service.clock()->advance(1min);
  EXPECT_EQ(pay(), "5");
}

TEST_F(ScheduledFaults, CanBeRemoved) {
  const std::uint64_t first = service.faults().inject({.error = "api_error"});
  const std::uint64_t second = service.faults().inject({.error = "resource_missing"});
  EXPECT_NE(first, second);
  EXPECT_TRUE(service.faults().remove(first));
  EXPECT_FALSE(service.faults().remove(first));
  EXPECT_EQ(pay(), "4");
  EXPECT_FALSE(service.faults().remove(second)) << "it has happened";
  service.faults().inject({.error = "api_error"});
  service.faults().inject({.error = "api_error"});
  service.faults().clear();
  EXPECT_THAT(service.faults().list(), IsEmpty());
  EXPECT_EQ(pay(), "2");
}

TEST_F(ScheduledFaults, CountHowOftenTheyFired) {
  const std::uint64_t id =
      service.faults().inject({.operation = "payouts.create", .times = 5, .error = "api_error"});
  EXPECT_EQ(pays(2), "55");
  const fake::InjectedFault fault = service.faults().list().front();
  EXPECT_EQ(fault.id, id);
  EXPECT_EQ(fault.hits, 2);
  EXPECT_EQ(fault.rule.times, 3);
}

/// An unlimited fault that has happened tested something; one that has not tested nothing.
TEST_F(ScheduledFaults, RemainPendingOnlyUntilTheyFirstFireIfUnlimited) {
  service.faults().inject({.times = FaultRule::unlimited, .error = "api_error"});
  EXPECT_EQ(service.faults().pending().size(), 1U);
  EXPECT_EQ(pays(3), "555");
  EXPECT_THAT(service.faults().pending(), IsEmpty());
  EXPECT_EQ(service.faults().list().front().hits, 3);
}

TEST_F(ScheduledFaults, AddUniformlyDistributedLatenciesGivenARange) {
  const auto drawn = latencies({.latency = 100ms, .latencyUpTo = 300ms}, 2'000);
  const auto [least, most] = std::ranges::minmax(drawn);
  EXPECT_GE(least, 100ms);
  EXPECT_LT(least, 102ms);
  EXPECT_LE(most, 300ms);
  EXPECT_GT(most, 298ms);
  EXPECT_NEAR(static_cast<double>(std::ranges::count_if(drawn, [](auto each) { return each < 200ms; })),
              1'000, 100);
}

TEST_F(ScheduledFaults, AddLogNormallyDistributedLatenciesGivenASigma) {
  const auto drawn = latencies({.latency = 100ms, .latencySigma = 0.5}, 4'000);
  const auto below = [&](double sigmas) {
    const nanoseconds bound{static_cast<std::int64_t>(1e8 * std::exp(0.5 * sigmas))};
    return static_cast<double>(std::ranges::count_if(drawn, [&](auto each) { return each < bound; })) / 4'000;
  };
  EXPECT_NEAR(below(0), 0.5, 0.04);
  EXPECT_NEAR(below(1), 0.841, 0.03);
  EXPECT_NEAR(below(-1), 0.159, 0.03);
}

TEST_F(ScheduledFaults, NeverExceedTheirMaximumLatency) {
  const auto drawn = latencies({.latency = 100ms, .latencyUpTo = 110ms, .latencySigma = 10}, 1'000);
  EXPECT_EQ(*std::ranges::max_element(drawn), 110ms);
  const nanoseconds century = std::chrono::years{100};
  const auto extreme = latencies({.latency = century, .latencySigma = 10}, 100);
  EXPECT_EQ(*std::ranges::max_element(extreme), century);
  EXPECT_GE(*std::ranges::min_element(extreme), 0ns);
  const auto widest = latencies({.latencyUpTo = century}, 100);
  EXPECT_LE(*std::ranges::max_element(widest), century);
}

/// A server sends the chunks as they come.
TEST_F(ScheduledFaults, SplitABodyIntoChunks) {
  service.faults().inject({.operation = "payouts.create", .chunks = 5, .pause = 2s});
  const HttpRequest request = post(key, "/v1/payouts", "amount=500&currency=eur");
  const fake::ScheduledResult slow = service.exchange(request);
  EXPECT_EQ(slow.chunks, 5);
  EXPECT_EQ(slow.pause, 2s);
  EXPECT_EQ(slow.due, service.clock()->now() + 8s);
  const fake::ScheduledResult usual = service.exchange(request);
  EXPECT_EQ(usual.chunks, 1);
  EXPECT_EQ(usual.pause, 0s);
}

TEST_F(ScheduledFaults, DelayABodyByThePausesBetweenItsChunks) {
  service.faults().inject({.operation = "payouts.create", .latency = 1s, .chunks = 5, .pause = 2s});
  const PayoutCreateParams params{.amount = 500, .currency = "eur"};
  const Instant begin = service.clock()->now();
  ClientOptions options = service.clientOptions(key);
  ASSERT_TRUE(Client{options}.payouts().create(params));
  EXPECT_EQ(service.clock()->now() - begin, 9s);
  EXPECT_EQ(service.requests().list().back().respondedAt - begin, 9s);

  service.faults().inject({.operation = "payouts.create", .chunks = 5, .pause = 2s});
  options.timeout = 7s;
  options.maxNetworkRetries = 0;
  EXPECT_EQ(Client{options}.payouts().create(params).error().kind(), ErrorKind::timeout);
}

}  // namespace

}  // namespace tally::test
