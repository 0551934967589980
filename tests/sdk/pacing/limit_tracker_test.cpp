#include "pacing/limit_tracker.h"

#include <cstdint>
#include <initializer_list>

#include <gtest/gtest.h>

namespace tally::detail {
namespace {

using namespace std::chrono_literals;

class LimitTrackerTest : public testing::Test {
 protected:
  static constexpr Limit rate{.name = "rate", .window = 1s};
  static constexpr Limit daily{.name = "daily", .window = 24h};
  static constexpr Limit atOnce{.name = "at_once", .metric = LimitMetric::inProgress};

  [[nodiscard]] LimitTracker countOf(const Limit& limit, std::optional<std::int64_t> number) const {
    return {Slot{&limit}, number, terms, 1};
  }
  /// Requests that arrive and end at that time.
  static void use(LimitTracker& count, int times, Instant time) {
    for (int n = 0; n < times; ++n) {
      count.take({});
      count.finish(time, time);
    }
  }

  PaceTerms terms{.recovery = 60s};
  Instant now = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
};

TEST_F(LimitTrackerTest, IsAfterNarrowerLimitsAndRatesOfTheSameBreadth) {
  static constexpr std::string_view operations[] = {"payouts.list"};
  std::optional<LimitTracker::Order> last;
  std::uint64_t serial = 10;
  for (const Limit& breadth : {Limit{.scope = LimitScope::object}, Limit{.scope = LimitScope::operation},
                               Limit{.operations = operations}, Limit{}})
    for (const LimitMetric metric : {LimitMetric::requests, LimitMetric::inProgress}) {
      Limit limit = breadth;
      limit.metric = metric;
      const LimitTracker::Order order = LimitTracker{Slot{&limit}, 1, terms, --serial}.order();
      EXPECT_TRUE(!last || *last < order) << limit.scope << ' ' << metric;
      last = order;
    }
}

TEST_F(LimitTrackerTest, HoldsASlotWhileTheRequestIsInFlight) {
  LimitTracker count = countOf(rate, 2);
  count.take({});
  count.take({});
  EXPECT_FALSE(count.hasUnit(now));
  EXPECT_FALSE(count.hasUnit(now + 1h)) << "the service may have counted it just now";
  EXPECT_EQ(count.frees(now + 1h), std::nullopt);
}

TEST_F(LimitTrackerTest, HoldsASlotForAWindowAfterTheRequestArrives) {
  LimitTracker count = countOf(rate, 2);
  count.take({});
  count.take({});
  count.finish(now + 200ms, now + 300ms);
  EXPECT_EQ(count.frees(now + 300ms), now + 1200ms);
  EXPECT_FALSE(count.hasUnit(now + 1200ms - 1ns));
  EXPECT_TRUE(count.hasUnit(now + 1200ms));
}

TEST_F(LimitTrackerTest, MeasuresThePeakUsageSinceTheLastMeasurement) {
  LimitTracker count = countOf(rate, 5);
  for (int n = 0; n < 3; ++n)
    count.take(count.use(now));
  count.giveBack();
  EXPECT_EQ(count.measureDemand().used, 3);
  EXPECT_EQ(count.measureDemand().used, 2) << "in flight";
  count.finish(now, now);
  count.finish(now, now);
  EXPECT_EQ(count.measureDemand().used, 2) << "they were in flight";
  EXPECT_EQ(count.measureDemand().used, 0);
}

TEST_F(LimitTrackerTest, AllowsRequestsToEndInAnyOrder) {
  LimitTracker count = countOf(rate, 2);
  count.take({});
  count.take({});
  count.finish(now + 200ms, now + 300ms);
  count.finish(now + 100ms, now + 400ms);
  EXPECT_EQ(count.frees(now + 400ms), now + 1100ms);
  EXPECT_EQ(count.used(now + 1100ms), 1);
  EXPECT_EQ(count.used(now + 1200ms), 0);
}

TEST_F(LimitTrackerTest, FreesAReturnedSlotImmediately) {
  LimitTracker count = countOf(rate, 1);
  count.take({});
  count.giveBack();
  EXPECT_TRUE(count.hasUnit(now));
}

TEST_F(LimitTrackerTest, FreesAConcurrencySlotWhenItsRequestEnds) {
  LimitTracker count = countOf(atOnce, 1);
  count.take({});
  EXPECT_FALSE(count.hasUnit(now));
  EXPECT_EQ(count.frees(now), std::nullopt);
  count.finish(now, now + 1s);
  EXPECT_TRUE(count.hasUnit(now + 1s));
}

TEST_F(LimitTrackerTest, ForecastsTheEarliestFreeSlot) {
  LimitTracker count = countOf(rate, 10);
  use(count, 6, now);
  EXPECT_EQ(count.earliest(3, now), now);
  use(count, 4, now + 500ms);
  const Instant later = now + 500ms;
  EXPECT_EQ(count.earliest(0, later), now + 1s);
  EXPECT_EQ(count.earliest(5, later), now + 1s);
  EXPECT_EQ(count.earliest(6, later), now + 1500ms);
  EXPECT_EQ(count.earliest(10, later), now + 2s) << "earlier calls will take the units for a window";
  EXPECT_EQ(count.earliest(1'006, later), now + 101s + 500ms);
}

TEST_F(LimitTrackerTest, ForecastsTheEarliestFreeSlotInLongWindows) {
  LimitTracker count = countOf(daily, 1);
  use(count, 1, now);
  EXPECT_EQ(count.earliest(1'000, now), now + 1'001 * 24h);
  EXPECT_EQ(count.earliest(1'000'000'000, now), Instant::max());
}

/// A request that changes nothing does not count against a limit on changes.
TEST_F(LimitTrackerTest, ForecastsThatRequestsInFlightMayNotCount) {
  LimitTracker count = countOf(rate, 10);
  use(count, 9, now);
  count.take({});
  EXPECT_EQ(count.frees(now), now + 1s);
  EXPECT_EQ(count.freesAtBest(now, 0), now);
  EXPECT_EQ(count.earliest(0, now), now);
  EXPECT_EQ(count.earliest(1, now), now + 1s) << "the call ahead takes the unit that comes back";
  EXPECT_EQ(count.earliest(10, now), now + 1s);
  EXPECT_EQ(count.earliest(11, now), now + 2s);
  count.finish(now, now);
  EXPECT_EQ(count.freesAtBest(now, 0), now + 1s);
  EXPECT_EQ(count.earliest(0, now), now + 1s);
}

TEST_F(LimitTrackerTest, ForecastsThatAShareMayGrow) {
  LimitTracker count = countOf(rate, 2);
  count.setShare({});
  use(count, 1, now);
  EXPECT_EQ(count.frees(now), now + 1s);
  EXPECT_EQ(count.freesAtBest(now, 0), now);
  use(count, 1, now);
  EXPECT_EQ(count.freesAtBest(now, 0), now + 1s) << "all of the limit is used";
}

TEST_F(LimitTrackerTest, LowersTheLimitToHalfOfTheRequestsSentWhenOneIsRefused) {
  LimitTracker count = countOf(rate, 25);
  count.onRefusal({24}, now, now);
  EXPECT_EQ(count.number().at(now), 12);
  LimitTracker slow = countOf(rate, 25);
  slow.onRefusal({5}, now, now);
  EXPECT_EQ(slow.number().at(now), 3);
  slow.onRefusal({0}, now + 1ns, now + 2ns);
  EXPECT_EQ(slow.number().at(now + 2ns), 1) << "one always proceeds";
}

TEST_F(LimitTrackerTest, IgnoresRefusalsOfRequestsSentBeforeTheLimitWasLowered) {
  LimitTracker count = countOf(rate, 25);
  const Instant responded = now + 50ms;
  for (int sent = 0; sent < 25; ++sent)
    count.onRefusal({sent == 0 ? 24 : sent}, now, responded);
  EXPECT_EQ(count.number().at(responded), 12);
  count.onRefusal({11}, responded + 1ms, responded + 51ms);
  EXPECT_EQ(count.number().at(responded + 51ms), 6);
}

TEST_F(LimitTrackerTest, LowersAConcurrencyLimitToTheLeastUsageAtARefusal) {
  LimitTracker count = countOf(atOnce, std::nullopt);
  for (const int before : {9, 4, 7, 5, 6, 8})
    count.onRefusal({before}, now, now);
  EXPECT_EQ(count.number().at(now), 4) << "the fifth was the first to be refused";
  count.onRefusal({0}, now, now);
  EXPECT_EQ(count.number().at(now), 1);
}

TEST_F(LimitTrackerTest, RecoversUntilItIsUnlimited) {
  LimitTracker count = countOf(atOnce, std::nullopt);
  count.onRefusal({4}, now, now);
  count.onRefusal({2}, now, now);
  EXPECT_EQ(count.number().at(now), 2);
  EXPECT_EQ(count.number().at(now + 60s - 1ns), 4);
  EXPECT_EQ(count.number().at(now + 60s), std::nullopt);
}

TEST_F(LimitTrackerTest, RecoversOverAtLeastAWindow) {
  LimitTracker count = countOf(daily, 100);
  count.onRefusal({99}, now, now);
  EXPECT_EQ(count.number().at(now + 12h), 75);
  EXPECT_EQ(count.number().at(now + 24h), 100);
}

TEST_F(LimitTrackerTest, FreesASlotWhenTheLimitRecoversBeforeTheWindowEnds) {
  LimitTracker count = countOf(daily, 25);
  count.onRefusal({1}, now, now);
  use(count, 1, now);
  EXPECT_EQ(count.frees(now), now + 1h);
  EXPECT_FALSE(count.hasUnit(now + 1h - 1ns));
  EXPECT_TRUE(count.hasUnit(now + 1h));
}

/// Otherwise, a call that waits for the rise would not sleep.
TEST_F(LimitTrackerTest, NeverForecastsARiseInThePast) {
  for (const std::int64_t full :
       std::initializer_list<std::int64_t>{2, 3, 7, 25, 99, 1'000, 1'000'000'000'000}) {
    LimitTracker count = countOf(rate, full);
    count.onRefusal({1}, now, now);
    for (Instant time = now; time < now + 60s;) {
      const auto rises = count.number().rises(time);
      ASSERT_TRUE(rises);
      ASSERT_GE(*rises, time + 1ms);
      ASSERT_GT(count.number().at(*rises).value(), count.number().at(time).value());
      time = std::max(*rises, time + 100ms);
    }
  }
}

TEST_F(LimitTrackerTest, ForecastsOnlyTheEndOfARecoveryWithoutIntermediateRises) {
  LimitTracker count = countOf(rate, std::nullopt);
  count.onRefusal({0}, now, now);
  EXPECT_EQ(count.number().at(now + 59s), 1);
  EXPECT_EQ(count.number().rises(now), now + 60s);
  EXPECT_EQ(count.number().rises(now + 60s - 1ns), now + 60s + 1ms - 1ns);
  EXPECT_EQ(count.number().rises(now + 60s), std::nullopt);
  count.take({});
  EXPECT_EQ(count.frees(now), now + 60s) << "unless it ends sooner";
  EXPECT_EQ(count.freesAtBest(now, 0), now) << "it may not count";
  EXPECT_EQ(count.freesAtBest(now, 1), now + 60s) << "for a call that holds it and needs another";
  count.finish(now, now);
  EXPECT_EQ(count.frees(now), now + 1s);
  EXPECT_EQ(count.freesAtBest(now, 0), now + 1s);
}

TEST_F(LimitTrackerTest, LooksForAConcurrencySlotWhenALoweredLimitRises) {
  LimitTracker count = countOf(atOnce, 3);
  count.onRefusal({1}, now, now);
  count.take({});
  EXPECT_EQ(count.frees(now), now + 30s);
  EXPECT_FALSE(count.hasUnit(now + 30s - 1ns));
  EXPECT_TRUE(count.hasUnit(now + 30s));
  EXPECT_EQ(count.freesAtBest(now, 0), now) << "the request may end at any time";
}

TEST_F(LimitTrackerTest, AcceptsARecoveryThatNeverEnds) {
  terms.recovery = std::chrono::nanoseconds::max();
  for (const Instant start : {now, Instant{} - 1s, Instant::max() - 1h}) {
    LimitTracker count = countOf(rate, 25);
    use(count, 10, start);
    count.onRefusal({9}, start, start);
    EXPECT_EQ(count.number().at(start), 5);
    EXPECT_GT(count.number().rises(start), start);
    EXPECT_EQ(count.number().at(Instant::max()).value() < 25, start > now) << "in a hundred years";
    EXPECT_EQ(count.frees(start), start + 1s);
    EXPECT_GE(count.earliest(1'000'000, start), start + 1s);
  }
}

TEST_F(LimitTrackerTest, CountsARequestForAWindowPlusAMargin) {
  terms.margin = 10ms;
  LimitTracker count = countOf(rate, 2);
  use(count, 2, now);
  EXPECT_EQ(count.used(now + 1010ms - 1ns), 2);
  EXPECT_EQ(count.frees(now), now + 1010ms);
  EXPECT_EQ(count.earliest(2, now), now + 2020ms);
  EXPECT_TRUE(count.hasUnit(now + 1010ms));
}

/// The service counted some requests of the last window later than the client could know.
TEST_F(LimitTrackerTest, LengthensWindowsTemporarilyAfterARefusalAtAWindowEdge) {
  LimitTracker count = countOf(rate, 25);
  use(count, 25, now);
  const Instant next = now + 1s;
  ASSERT_TRUE(count.hasUnit(next));
  const PaceUse before = count.use(next);
  EXPECT_EQ(before.used, 0);
  EXPECT_EQ(before.lately, 25);
  for (int n = 0; n < 3; ++n)
    EXPECT_FALSE(count.onRefusal(before, next, next + 20ms))
        << "one is enough, regardless of other requests sent then";
  EXPECT_EQ(count.number().at(next + 20ms), 25);
  EXPECT_EQ(count.frees(next + 20ms), next + 50ms);
  EXPECT_FALSE(count.isIdle(next + 50ms));
  use(count, 25, next + 50ms);
  EXPECT_EQ(count.frees(next + 50ms), next + 50ms + 1050ms) << "temporarily, windows are that much longer";
  const Instant recovered = next + 20ms + 60s;
  use(count, 25, recovered);
  EXPECT_EQ(count.frees(recovered), recovered + 1s);
}

TEST_F(LimitTrackerTest, LowersAReachedLimitOnlyOnASecondRefusal) {
  LimitTracker count = countOf(rate, 25);
  EXPECT_FALSE(count.onRefusal({.used = 24, .lately = 25}, now, now));
  EXPECT_FALSE(count.onRefusal({.used = 24, .lately = 25}, now, now + 1ms)) << "it was in flight";
  EXPECT_TRUE(count.onRefusal({.used = 24, .lately = 25}, now + 1ms, now + 2ms));
  EXPECT_EQ(count.number().at(now + 2ms), 12);
}

TEST_F(LimitTrackerTest, LowersAnUnreachedLimitOnTheFirstRefusal) {
  LimitTracker count = countOf(rate, 25);
  EXPECT_TRUE(count.onRefusal({.used = 24, .lately = 24}, now, now));
  EXPECT_EQ(count.number().at(now), 12);
  EXPECT_TRUE(countOf(rate, std::nullopt).onRefusal({.used = 24, .lately = 90}, now, now));
}

/// For example, when a request admitted long ago is finally sent.
TEST_F(LimitTrackerTest, HalvesTheLoweredLimitOnALaterRefusal) {
  LimitTracker count = countOf(rate, 25);
  EXPECT_TRUE(count.onRefusal({20}, now, now));
  EXPECT_EQ(count.number().at(now), 10);
  EXPECT_TRUE(count.onRefusal({20}, now + 1ms, now + 1ms));
  EXPECT_EQ(count.number().at(now + 1ms), 5);
}

TEST_F(LimitTrackerTest, AttributesARefusalInTheFirstWindowToAPredecessor) {
  terms.margin = 10ms;
  terms.start = now;
  LimitTracker count = countOf(rate, 25);
  EXPECT_FALSE(count.onRefusal({3}, now + 200ms, now + 250ms));
  EXPECT_EQ(count.number().at(now + 250ms), 25);
  EXPECT_FALSE(count.hasUnit(now + 1010ms - 1ns)) << "its requests may count until then";
  EXPECT_EQ(count.frees(now + 250ms), now + 1010ms);
  EXPECT_EQ(count.earliest(0, now + 250ms), now + 1010ms);
  EXPECT_FALSE(count.isIdle(now + 250ms));
  EXPECT_TRUE(count.hasUnit(now + 1010ms));
  EXPECT_FALSE(count.onRefusal({3}, now + 1010ms - 1ns, now + 1010ms));
  EXPECT_TRUE(count.onRefusal({3}, now + 1010ms, now + 1010ms)) << "and then nothing";
}

TEST_F(LimitTrackerTest, IgnoresALateRefusalOfARequestFromTheFirstWindow) {
  terms.start = now;
  LimitTracker count = countOf(rate, 25);
  EXPECT_FALSE(count.onRefusal({0}, now + 1s - 1ns, now + 2s));
  EXPECT_TRUE(count.hasUnit(now + 2s));
  EXPECT_TRUE(count.onRefusal({0}, now + 1s, now + 2s));
}

TEST_F(LimitTrackerTest, AllowsARetryBeforeALongFirstWindowEnds) {
  terms.start = now;
  LimitTracker count = countOf(daily, 20);
  EXPECT_FALSE(count.onRefusal({3}, now + 1h, now + 1h));
  EXPECT_EQ(count.frees(now + 1h), now + 1h + 72min) << "a twentieth of a day";
  EXPECT_FALSE(count.onRefusal({3}, now + 23h, now + 23h));
  EXPECT_EQ(count.frees(now + 23h), now + 24h);
  EXPECT_EQ(count.number().at(now + 24h), 20);
}

TEST_F(LimitTrackerTest, AssumesThatRequestsOfAPredecessorEndWithinASecond) {
  terms.start = now;
  LimitTracker count = countOf(atOnce, 30);
  EXPECT_FALSE(count.onRefusal({0}, now, now + 100ms));
  EXPECT_FALSE(count.hasUnit(now + 1s - 1ns)) << "although this process has none in progress";
  EXPECT_EQ(count.frees(now + 100ms), now + 1s);
  EXPECT_EQ(count.number().at(now + 1s), 30);
  EXPECT_TRUE(count.onRefusal({5}, now + 1s, now + 1s));
  EXPECT_EQ(count.number().at(now + 1s), 5);
}

TEST_F(LimitTrackerTest, CountsOnlyItsOwnRequestsWhileAConcurrencyLimitIsClosed) {
  terms.start = now;
  LimitTracker count = countOf(atOnce, 30);
  count.take({});
  EXPECT_FALSE(count.onRefusal({1}, now, now + 100ms));
  EXPECT_EQ(count.used(now + 100ms), 1);
}

TEST_F(LimitTrackerTest, AssumesThatAllSlotsAreInUseAtTheStartIfConfigured) {
  terms.start = now;
  terms.margin = 10ms;
  terms.assumeUsed = 1s;
  LimitTracker count = countOf(rate, 25);
  EXPECT_EQ(count.used(now), 25);
  EXPECT_EQ(count.frees(now), now + 1010ms);
  EXPECT_FALSE(count.isIdle(now));
  EXPECT_TRUE(count.hasUnit(now + 1010ms));
  EXPECT_TRUE(countOf(daily, 20).hasUnit(now)) << "it is longer than that";
  EXPECT_TRUE(countOf(atOnce, 20).hasUnit(now));
  terms.assumeUsed = std::chrono::nanoseconds::max();
  EXPECT_EQ(countOf(daily, 20).frees(now), now + 24h + 10ms);
}

TEST_F(LimitTrackerTest, IsIdleWhenItsLimitIsUnusedAndNotLowered) {
  LimitTracker count = countOf(rate, 25);
  EXPECT_TRUE(count.isIdle(now));
  count.join();
  EXPECT_FALSE(count.isIdle(now));
  count.part();
  use(count, 1, now);
  EXPECT_FALSE(count.isIdle(now));
  EXPECT_FALSE(count.isIdle(now + 1s)) << "it may have counted for longer";
  EXPECT_TRUE(count.isIdle(now + 1050ms));
  count.onRefusal({0}, now, now + 1s);
  EXPECT_FALSE(count.isIdle(now + 1s));
  EXPECT_TRUE(count.isIdle(now + 61s));
}

}  // namespace
}  // namespace tally::detail
