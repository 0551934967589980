#include "limits/concurrency_counter.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/random_runs.h"

namespace tally::fake::detail {

namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr Instant progressStart = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};

TEST(ConcurrencyCounter, CountsARequestUntilItsEnd) {
  ConcurrencyCounter inProgress;
  inProgress.addUntil(progressStart + seconds{2}, progressStart);
  inProgress.addUntil(progressStart + seconds{1}, progressStart);
  EXPECT_EQ(inProgress.count(progressStart), 2);
  EXPECT_EQ(inProgress.count(progressStart + seconds{1} - nanoseconds{1}), 2);
  EXPECT_EQ(inProgress.count(progressStart + seconds{1}), 1);
  EXPECT_EQ(inProgress.count(progressStart + seconds{2}), 0);
}

TEST(ConcurrencyCounter, CountsHeldSlotsUntilTheyAreReleased) {
  ConcurrencyCounter inProgress;
  inProgress.hold(3);
  inProgress.hold();
  EXPECT_EQ(inProgress.count(progressStart + seconds{1'000'000}), 4);
  inProgress.release(3);
  inProgress.release();
  EXPECT_EQ(inProgress.count(progressStart), 0);
}

TEST(ConcurrencyCounter, ForecastsWhenItWillFallBelowAGivenNumber) {
  ConcurrencyCounter inProgress;
  inProgress.addUntil(progressStart + seconds{3}, progressStart);
  inProgress.addUntil(progressStart + seconds{1}, progressStart);
  inProgress.addUntil(progressStart + seconds{2}, progressStart);
  EXPECT_EQ(inProgress.fallsBelow(4, progressStart), progressStart);
  EXPECT_EQ(inProgress.fallsBelow(3, progressStart), progressStart + seconds{1});
  EXPECT_EQ(inProgress.fallsBelow(2, progressStart), progressStart + seconds{2});
  EXPECT_EQ(inProgress.fallsBelow(1, progressStart), progressStart + seconds{3});
  EXPECT_EQ(inProgress.fallsBelow(0, progressStart), std::nullopt);
  EXPECT_EQ(inProgress.fallsBelow(1, progressStart + seconds{2}), progressStart + seconds{3});
}

TEST(ConcurrencyCounter, NeverFallsBelowTheNumberOfHeldSlots) {
  ConcurrencyCounter inProgress;
  inProgress.hold(2);
  inProgress.addUntil(progressStart + seconds{1}, progressStart);
  EXPECT_EQ(inProgress.fallsBelow(3, progressStart), progressStart + seconds{1});
  EXPECT_EQ(inProgress.fallsBelow(2, progressStart), std::nullopt);
}

TEST(ConcurrencyCounter, MatchesASimpleModel) {
  test::holdsInRuns(2'000, [] {
    ConcurrencyCounter inProgress;
    std::vector<Instant> ends;
    std::int64_t held = 0;
    Instant now = progressStart;
    const int steps = *rc::gen::inRange(1, 60);
    for (int n = 0; n < steps; ++n) {
      now += nanoseconds{*rc::gen::inRange(0, 4)};
      const int what = *rc::gen::inRange(0, 5);
      if (what < 3) {
        ends.push_back(now + nanoseconds{*rc::gen::inRange(0, 20)});
        inProgress.addUntil(ends.back(), now);
      } else if (what == 3) {
        inProgress.hold();
        ++held;
      } else if (held > 0) {
        inProgress.release();
        --held;
      }
      const auto count = [&](Instant time) {
        return held + std::ranges::count_if(ends, [&](Instant end) { return end > time; });
      };
      RC_ASSERT(inProgress.count(now) == count(now));
      const int number = *rc::gen::inRange(0, 6);
      std::optional<Instant> below;
      for (Instant time = now; !below && time <= now + nanoseconds{20}; time += nanoseconds{1})
        if (count(time) < number) below = time;
      RC_ASSERT(inProgress.fallsBelow(number, now) == below);
    }
  });
}

}  // namespace

}  // namespace tally::fake::detail
