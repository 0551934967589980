// Fault scripts as a service plays them on its clock.

#include "faults/played_scripts.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/fake/service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/limit_usage.h"
#include "fake/support/requests.h"

namespace tally::test {

namespace {

using fake::Fault;
using fake::FaultRule;
using fake::FaultScript;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int noResponse = 0;

class PlayedScripts : public testing::Test {
 protected:
  int read(const std::string& header = {}) { return readFrom(service, header); }
  int readFrom(fake::Service& from, const std::string& header = {}) const {
    HttpRequest request = get(key, "/v1/payment_records");
    if (!header.empty()) request.headers.push_back({"Tally-Fake-Fault", header});
    return from.handle(request).status;
  }
  std::vector<int> reads(int number) {
    std::vector<int> statuses;
    for (int n = 0; n < number; ++n)
      statuses.push_back(read());
    return statuses;
  }
  void advance(std::chrono::nanoseconds duration) { service.clock()->advance(duration); }
  void advanceTo(std::chrono::nanoseconds sinceStart) { service.clock()->advanceTo(start + sinceStart); }
  std::int64_t allowed() { return *service.usage().of(key, "global_rate").allowed; }

  fake::Service service{{.duration = 0s, .faultHeader = true}};
  fake::Account account = service.addAccount();
  std::string key = account.sandboxKey;
  Instant start = service.clock()->now();
  const FaultScript twoSteps{
      .name = "two",
      .steps = {{.at = 10s, .duration = 5s, .effect = FaultRule{.error = "api_error"}},
                {.at = 20s, .duration = 5s, .effect = LimitOverride{.limit = "global_rate", .value = 1}}}};
};

TEST_F(PlayedScripts, ApplyTheirStepsAtTheGivenTimes) {
  service.faults().play(twoSteps);
  for (const auto& [at, status] : {std::pair{0ms, 200}, std::pair{9'999ms, 200}, std::pair{10'000ms, 500},
                                   std::pair{14'999ms, 500}, std::pair{15'000ms, 200}}) {
    advanceTo(at);
    EXPECT_EQ(read(), status) << at.count();
  }
  advanceTo(20s);
  EXPECT_THAT(reads(2), ElementsAre(200, 429));
  advanceTo(25s);
  EXPECT_THAT(reads(2), ElementsAre(200, 200));
}

TEST_F(PlayedScripts, ApplyTheirLimitsOnTimeEvenIfNoRequestArrives) {
  service.faults().play(twoSteps);
  EXPECT_EQ(allowed(), 25);
  advanceTo(20s);
  EXPECT_EQ(allowed(), 1);
  advanceTo(25s);
  EXPECT_EQ(allowed(), 25);
}

TEST_F(PlayedScripts, ApplyTheirLimitsOnTimeInTheUsageOfAnAccountAndOfAKey) {
  service.faults().play(twoSteps);
  advanceTo(20s);
  EXPECT_EQ(usageOf(service.usage().list(account), "global_rate").allowed, 1);
  advanceTo(25s);
  EXPECT_EQ(usageOf(service.usage().list(key), "global_rate").allowed, 25);
}

TEST_F(PlayedScripts, OverrideOtherLimitsAndThenRestoreThem) {
  service.limits().set({.limit = "global_rate", .value = 50});
  service.limits().set(account, {.limit = "global_rate", .value = 60});
  service.faults().play(twoSteps);
  advanceTo(20s);
  service.limits().set(account, {.limit = "global_rate", .value = 70});
  EXPECT_EQ(allowed(), 1);
  EXPECT_EQ(*service.usage().of(service.addAccount().sandboxKey, "global_rate").allowed, 1)
      << "a new account";
  advanceTo(25s);
  EXPECT_EQ(allowed(), 70);
}

TEST_F(PlayedScripts, RepeatTheirSteps) {
  service.faults().play({.steps = {{.at = 1s,
                                    .times = 1,
                                    .repeat = {.times = 3, .every = 10s},
                                    .effect = FaultRule{.fault = Fault::reset}},
                                   {.duration = 2s,
                                    .repeat = {.times = 2, .every = 30s},
                                    .effect = LimitOverride{.limit = "global_rate", .value = 3}}}});
  EXPECT_EQ(allowed(), 3);
  advanceTo(1s);
  EXPECT_THAT(reads(2), ElementsAre(noResponse, 200));
  advanceTo(11s);
  EXPECT_EQ(allowed(), 25);
  EXPECT_THAT(reads(2), ElementsAre(noResponse, 200));
  advanceTo(30s);
  EXPECT_EQ(allowed(), 3);
  EXPECT_THAT(reads(2), ElementsAre(noResponse, 200));
}

TEST_F(PlayedScripts, PreferTheStepListedFirstIfStepsOverlap) {
  service.faults().play({.steps = {{.at = 5s, .duration = 5s, .effect = FaultRule{.error = "lock_timeout"}},
                                   {.duration = 10s, .effect = FaultRule{.error = "api_error"}}}});
  EXPECT_EQ(read(), 500);
  advanceTo(5s);
  EXPECT_EQ(read(), 429);
}

TEST_F(PlayedScripts, ChangeAProbabilityLinearly) {
  service.faults().play(
      {.seed = 1,
       .steps = {{.duration = 100s, .effect = FaultRule{.error = "api_error", .probabilityAtEnd = 0}}}});
  service.limits().set({.limit = "global_rate", .value = std::nullopt});
  service.limits().set({.limit = "endpoint_rate", .value = std::nullopt});
  std::vector<int> failures;
  for (int quarter = 0; quarter < 4; ++quarter) {
    failures.push_back(0);
    for (int n = 0; n < 1'000; ++n) {
      failures.back() += read() == 500 ? 1 : 0;
      advance(25ms);
    }
  }
  EXPECT_THAT(failures, ElementsAre(testing::AllOf(testing::Gt(825), testing::Lt(925)),
                                    testing::AllOf(testing::Gt(575), testing::Lt(675)),
                                    testing::AllOf(testing::Gt(325), testing::Lt(425)),
                                    testing::AllOf(testing::Gt(75), testing::Lt(175))));
}

TEST_F(PlayedScripts, PlayTheSameFaultsWithTheSameSeed) {
  const auto faults = [](std::uint64_t seed, int before) {
    fake::Service other{{.limits = false}};
    const std::string otherKey = other.addAccount().sandboxKey;
    for (int n = 0; n < before; ++n)
      other.faults().inject({.operation = "payouts.create", .probability = 0.5});
    FaultScript script = FaultScript::named("brownout");
    script.seed = seed;
    other.faults().play(script);
    std::vector<std::pair<int, std::chrono::nanoseconds>> seen;
    for (int n = 0; n < 100; ++n) {
      const int status = other.handle(get(otherKey, "/v1/payment_records")).status;
      seen.emplace_back(status, other.requests().list().back().addedLatency);
      other.clock()->advance(1s);
    }
    return seen;
  };
  EXPECT_EQ(faults(7, 0), faults(7, 3)) << "whatever was injected before";
  EXPECT_NE(faults(7, 0), faults(8, 0));
}

TEST_F(PlayedScripts, ReportASeedThatReproducesTheirFaults) {
  FaultScript script = FaultScript::named("lost-responses");
  service.faults().play(script);
  script.seed = service.faults().scripts().front().seed;
  fake::Service again{{.duration = 0s}};
  EXPECT_EQ(again.addAccount().sandboxKey, key);
  again.faults().play(script);
  for (int n = 0; n < 50; ++n) {
    EXPECT_EQ(read(), readFrom(again));
    advance(1s);
    again.clock()->advance(1s);
  }
}

TEST_F(PlayedScripts, AreListedWithTheirTimesAndTheNextEvent) {
  const std::uint64_t id = service.faults().play(twoSteps);
  const auto rules = service.faults().list();
  ASSERT_THAT(rules, SizeIs(1));
  EXPECT_EQ(rules[0].from, start + 10s);
  EXPECT_EQ(rules[0].until, start + 15s);
  EXPECT_EQ(rules[0].script, id);
  EXPECT_THAT(service.faults().pending(), IsEmpty()) << "no test needs to meet it";
  advanceTo(10s);
  (void)reads(3);
  const auto played = service.faults().scripts();
  ASSERT_THAT(played, SizeIs(1));
  EXPECT_EQ(played[0].name, "two");
  EXPECT_EQ(played[0].started, start);
  EXPECT_EQ(played[0].nextAt, start + 15s);
  EXPECT_EQ(played[0].next, "ends: error api_error");
  ASSERT_THAT(played[0].parts, SizeIs(2));
  EXPECT_EQ(played[0].parts[0].hits, 3);
  EXPECT_EQ(played[0].parts[1].what, "limit global_rate = 1");
  advanceTo(15s);
  EXPECT_EQ(service.faults().scripts()[0].next, "begins: limit global_rate = 1");
  advanceTo(25s);
  EXPECT_FALSE(service.faults().scripts()[0].nextAt);
}

TEST_F(PlayedScripts, HaveNoEffectOnceTheyAreStopped) {
  const std::uint64_t first = service.faults().play(
      {.steps = {{.duration = 1h, .effect = LimitOverride{.limit = "global_rate", .value = 9}}}});
  const std::uint64_t second = service.faults().play(
      {.steps = {{.duration = 1h, .effect = LimitOverride{.limit = "global_rate", .value = 4}},
                 {.duration = 1h, .effect = FaultRule{.error = "api_error"}}}});
  EXPECT_EQ(allowed(), 4) << "the one played last";
  EXPECT_TRUE(service.faults().stop(second));
  EXPECT_FALSE(service.faults().stop(second));
  EXPECT_EQ(allowed(), 9);
  EXPECT_EQ(read(), 200);
  EXPECT_THAT(service.faults().scripts(), SizeIs(1));
  service.faults().clear();
  EXPECT_EQ(allowed(), 25);
  EXPECT_FALSE(service.faults().stop(first));
}

TEST_F(PlayedScripts, KeepInjectedFaultsWhenAnUnknownIdIsStopped) {
  service.faults().inject({.error = "api_error"});
  EXPECT_FALSE(service.faults().stop(service.faults().list().front().script));
  EXPECT_THAT(service.faults().list(), SizeIs(1));
}

TEST_F(PlayedScripts, YieldToInjectedFaultsAndToFaultsInAHeader) {
  service.faults().inject({.error = "lock_timeout"});
  service.faults().play({.steps = {{.duration = 1min, .effect = FaultRule{.error = "api_error"}}}});
  EXPECT_EQ(read("status=418; times=1"), 418);
  EXPECT_EQ(read("status=418; times=1"), 429);
  EXPECT_EQ(read("status=418; times=1"), 500);
}

TEST_F(PlayedScripts, ContinueInForksAndAfterASnapshotIsRestored) {
  service.faults().play(twoSteps);
  advanceTo(12s);
  fake::Service fork = service.fork();
  const fake::Snapshot taken = service.snapshots().take();
  service.faults().clear();
  EXPECT_EQ(read(), 200);
  EXPECT_EQ(readFrom(fork), 500);
  fork.clock()->advance(10s);
  EXPECT_EQ(*fork.usage().of(key, "global_rate").allowed, 1);
  service.snapshots().restore(taken);
  EXPECT_EQ(read(), 500);
  advanceTo(21s);
  EXPECT_EQ(allowed(), 1);
}

TEST_F(PlayedScripts, AreRefusedEntirelyIfAStepIsInvalid) {
  FaultScript script = twoSteps;
  script.steps.push_back({.duration = 1s, .effect = FaultRule{.operation = "payouts.creat"}});
  EXPECT_THAT([&] { service.faults().play(script); },
              testing::ThrowsMessage<std::invalid_argument>(HasSubstr("steps[2]: ")));
  EXPECT_THAT(service.faults().list(), IsEmpty());
  EXPECT_THAT(service.faults().scripts(), IsEmpty());
  const auto refused = [&](const fake::ScriptStep& step) {
    EXPECT_THROW(service.faults().play({.steps = {step}}), std::invalid_argument);
  };
  refused({.at = -1ns, .duration = 1s});
  refused({.duration = 1s, .effect = FaultRule{.times = 2}});
  refused({.duration = 1s, .effect = FaultRule{.after = 1s}});
  refused({.duration = 1s, .effect = FaultRule{.period = 1s}});
  refused({.duration = 1s, .times = 0});
  refused({.duration = 1s, .times = 1, .effect = LimitOverride{.limit = "global_rate"}});
  refused({.duration = 1s, .repeat = {.times = 0}});
  refused({.duration = 1s, .effect = LimitOverride{.limit = "global_rate", .value = 1, .country = "\xFF"}});
  EXPECT_THROW(service.faults().play({}), std::invalid_argument);
}

TEST_F(PlayedScripts, AcceptStepsOfTheLongestPermittedDuration) {
  constexpr std::chrono::nanoseconds longest = std::chrono::years{100};
  service.faults().play(
      {.steps = {{.at = longest, .duration = longest, .effect = FaultRule{.error = "api_error"}},
                 {.at = longest, .effect = LimitOverride{.limit = "global_rate", .value = 1}}}});
  EXPECT_EQ(read(), 200);
}

struct ReadyMadeScripts : PlayedScripts {
  /// How many of ten requests a second had each status, in the seconds from `from` to `to`.
  int failures(std::chrono::seconds from, std::chrono::seconds to) {
    service.limits().set({.limit = "endpoint_rate", .value = std::nullopt});
    int failed = 0;
    for (advanceTo(from); service.clock()->now() < start + to; advance(100ms))
      failed += read() == 200 ? 0 : 1;
    return failed;
  }
};

TEST_F(ReadyMadeScripts, IncludeAnOutageWithASlowRecovery) {
  service.faults().play(FaultScript::named("outage"));
  EXPECT_EQ(failures(0s, 90s), 900);
  const int first = failures(90s, 120s);
  const int second = failures(120s, 150s);
  EXPECT_GT(first, 170);
  EXPECT_LT(second, 130);
  EXPECT_GT(second, 20);
  EXPECT_EQ(failures(150s, 180s), 0);
}

TEST_F(ReadyMadeScripts, IncludeABrownoutThatFailsAboutAFifthOfRequests) {
  service.faults().play(FaultScript::named("brownout"));
  EXPECT_LT(failures(0s, 15s), 30);
  const int middle = failures(30s, 90s);
  EXPECT_GT(middle, 80);
  EXPECT_LT(middle, 160);
  EXPECT_EQ(failures(120s, 150s), 0);
}

TEST_F(ReadyMadeScripts, IncludeALimitThatRefusesRequestsIntermittently) {
  service.faults().play(FaultScript::named("flapping-limit"));
  for (int cycle = 0; cycle < 6; ++cycle) {
    EXPECT_GT(failures(cycle * 20s, cycle * 20s + 8s), 40);
    EXPECT_EQ(failures(cycle * 20s + 9s, cycle * 20s + 20s), 0);
  }
  EXPECT_EQ(failures(120s, 130s), 0);
}

TEST_F(ReadyMadeScripts, IncludeLostResponsesToProcessedRequests) {
  service.faults().play(FaultScript::named("lost-responses"));
  const int failed = failures(0s, 120s);
  EXPECT_GT(failed, 80);
  EXPECT_LT(failed, 160);
  EXPECT_EQ(service.requests().count({.status = 0, .processed = true}), static_cast<std::size_t>(failed));
}

TEST_F(ReadyMadeScripts, IncludeALockStormThatRefusesOnlyChanges) {
  service.faults().play(FaultScript::named("lock-storm"));
  EXPECT_EQ(failures(0s, 30s), 0);
  const std::string path = "/v1/payment_records/" + service.insert<PaymentRecord>(key).id.str();
  for (int n = 0; n < 20; ++n)
    (void)service.handle(post(key, path + "/report_payment_attempt_failed", "failed_at=1"));
  EXPECT_GT(service.requests().count({.errorCode = "lock_timeout"}), 3U);
}

TEST_F(ReadyMadeScripts, HaveDescriptions) {
  EXPECT_THAT(FaultScript::readyMade(), SizeIs(5));
  for (const FaultScript& script : FaultScript::readyMade())
    EXPECT_FALSE(script.description.empty());
}

}  // namespace

}  // namespace tally::test
