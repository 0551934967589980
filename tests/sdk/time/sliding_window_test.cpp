#include "time/sliding_window.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/random_runs.h"

namespace tally::detail {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using tally::detail::SlidingWindow;

constexpr Instant start = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
constexpr nanoseconds instant{1};

TEST(SlidingWindow, ExcludesTheInstantAtItsEnd) {
  SlidingWindow window{seconds{1}};
  EXPECT_EQ(window.count(start), 0);
  window.add(start);
  EXPECT_EQ(window.count(start), 1);
  EXPECT_EQ(window.count(start + seconds{1} - instant), 1);
  EXPECT_EQ(window.count(start + seconds{1}), 0);
}

TEST(SlidingWindow, SlidesInsteadOfRestarting) {
  SlidingWindow window{seconds{1}};
  window.add(start);
  window.add(start + milliseconds{900}, 3);
  EXPECT_EQ(window.count(start + seconds{1}), 3);
  EXPECT_EQ(window.count(start + milliseconds{1900} - instant), 3);
  EXPECT_EQ(window.count(start + milliseconds{1900}), 0);
}

TEST(SlidingWindow, InsertsLateEventsInOrder) {
  SlidingWindow window{seconds{1}};
  window.add(start);
  window.add(start + milliseconds{500});
  window.addLate(start + milliseconds{200}, start + milliseconds{500});
  window.addLate(start + milliseconds{500}, start + milliseconds{600});
  window.addLate(start - milliseconds{400}, start + milliseconds{600});  // already expired
  EXPECT_EQ(window.count(start + milliseconds{600}), 4);
  EXPECT_EQ(window.fallsBelow(4, start + milliseconds{600}), start + seconds{1});
  EXPECT_EQ(window.fallsBelow(3, start + milliseconds{600}), start + milliseconds{1200});
  EXPECT_EQ(window.count(start + milliseconds{1200}), 2);
  EXPECT_EQ(window.count(start + milliseconds{1500}), 0);
}

TEST(SlidingWindow, DoesNotRenewExpiredEventsByAddingToTheLast) {
  SlidingWindow window{seconds{1}};
  window.add(start, 3);
  window.addToLast(start + milliseconds{500});
  EXPECT_EQ(window.count(start + milliseconds{1400}), 4) << "all leave with the last";
  window.addToLast(start + milliseconds{1500});
  EXPECT_EQ(window.count(start + milliseconds{1500}), 1);
}

TEST(SlidingWindow, StoresEachInstantOnlyOnce) {
  SlidingWindow window{seconds{1}};
  for (int n = 0; n < 1000; ++n)
    window.add(start);
  EXPECT_EQ(window.count(start), 1000);
  EXPECT_EQ(window.instants(), 1U);
}

TEST(SlidingWindow, ForgetsExpiredEvents) {
  SlidingWindow window{seconds{1}};
  for (int n = 0; n < 10'000; ++n) {
    window.add(start + milliseconds{100} * n);
    ASSERT_LE(window.instants(), 10U);
  }
}

TEST(SlidingWindow, RemovesOneOfTheEventsAtAnInstant) {
  SlidingWindow window{seconds{1}};
  window.add(start, 2);
  window.add(start + milliseconds{1});
  window.giveBack(start);
  EXPECT_EQ(window.count(start + milliseconds{1}), 2);
  window.giveBack(start);
  window.giveBack(start);
  EXPECT_EQ(window.count(start + milliseconds{1}), 1) << "there were two";
  EXPECT_EQ(window.count(start + seconds{1}), 1);
}

TEST(SlidingWindow, IgnoresTheRemovalOfAMissingEvent) {
  SlidingWindow window{seconds{1}};
  window.giveBack(start);
  window.add(start);
  window.giveBack(start - instant);
  window.giveBack(start + instant);
  EXPECT_EQ(window.count(start + instant), 1);
  window.add(start + seconds{1});
  window.giveBack(start);
  EXPECT_EQ(window.count(start + seconds{1}), 1) << "the first has expired";
}

TEST(SlidingWindow, ForecastsWhenItWillFallBelowAGivenNumber) {
  SlidingWindow window{seconds{1}};
  window.add(start, 2);
  window.add(start + milliseconds{400});
  const Instant now = start + milliseconds{500};
  EXPECT_EQ(window.fallsBelow(4, now), now);
  EXPECT_EQ(window.fallsBelow(3, now), start + seconds{1});
  EXPECT_EQ(window.fallsBelow(2, now), start + seconds{1});
  EXPECT_EQ(window.fallsBelow(1, now), start + milliseconds{1400});
  EXPECT_EQ(window.fallsBelow(0, now), std::nullopt);
  EXPECT_EQ(window.fallsBelow(0, start + seconds{9}), std::nullopt) << "even when it is empty";
}

TEST(SlidingWindow, CanMergeNeighborsToExpireWithTheLast) {
  SlidingWindow window{seconds{4}, 4};  // merged into spans of 2 s
  for (int n = 0; n < 5; ++n)
    window.add(start + milliseconds{500} * n);
  EXPECT_EQ(window.instants(), 2U);
  EXPECT_EQ(window.count(start + seconds{4}), 5) << "the first would have expired alone";
  EXPECT_EQ(window.count(start + milliseconds{5500}), 1);
}

TEST(SlidingWindow, CanMergeNeighborsToExpireWithTheFirst) {
  SlidingWindow window{seconds{4}, 4, SlidingWindow::Joined::leaveWithFirst};  // merged into spans of 2 s
  for (int n = 0; n < 5; ++n)
    window.add(start + milliseconds{500} * n);
  EXPECT_EQ(window.instants(), 2U);
  EXPECT_EQ(window.count(start + seconds{4} - instant), 5);
  EXPECT_EQ(window.count(start + seconds{4}), 1) << "the fourth would have remained alone";
  EXPECT_EQ(window.count(start + seconds{6}), 0);
}

TEST(SlidingWindow, AcceptsTheEarliestAndLatestTimes) {
  SlidingWindow window{seconds{1}};
  window.add(Instant::min());
  EXPECT_EQ(window.count(Instant::max()), 0);
  window.add(Instant::max());
  EXPECT_EQ(window.countAt(Instant::max()), 1);
  EXPECT_EQ(window.fallsBelow(1, Instant::max()), Instant::max());
  EXPECT_EQ(window.fallsBelow(1, Instant::max() - nanoseconds{1}), Instant::max());
}

/// A naive model of the window.
struct List {
  std::vector<Instant> times{};
  nanoseconds length{};

  [[nodiscard]] std::int64_t count(Instant now) const { return countSince(now, length); }
  [[nodiscard]] std::int64_t countSince(Instant now, nanoseconds ago) const {
    return std::ranges::count_if(times, [&](Instant time) { return time + ago > now; });
  }
  void giveBack(Instant time, Instant now) {
    const auto found = std::ranges::find(times, time);
    if (found != times.end() && *found + length > now) times.erase(found);
  }
  [[nodiscard]] std::optional<Instant> fallsBelow(std::int64_t number, Instant now) const {
    if (count(now) < number) return now;
    for (const Instant time : times)  // in order
      if (time + length > now && count(time + length) < number) return time + length;
    return std::nullopt;
  }
};

nanoseconds anyStep(nanoseconds length) {
  return *rc::gen::weightedOneOf<nanoseconds>(
      {{3, rc::gen::just(nanoseconds{0})},
       {1, rc::gen::elementOf(std::vector{length - instant, length, length + instant, instant})},
       {6, rc::gen::map(rc::gen::inRange<std::int64_t>(0, length.count() / 4),
                        [](std::int64_t step) { return nanoseconds{step}; })}});
}

TEST(SlidingWindow, MatchesASimpleModel) {
  test::holdsInRuns(2'000, [] {
    List list{.length = nanoseconds{*rc::gen::inRange(4, 200)}};
    SlidingWindow window{list.length};
    Instant now = start;
    const int steps = *rc::gen::inRange(1, 80);
    for (int n = 0; n < steps; ++n) {
      now += anyStep(list.length);
      const int times = *rc::gen::inRange(0, 4);
      if (times > 0) {
        window.add(now, times);
        list.times.insert(list.times.end(), static_cast<std::size_t>(times), now);
      } else if (!list.times.empty()) {
        const Instant back = *rc::gen::elementOf(list.times);
        RC_ASSERT(window.count(now) == list.count(now));
        window.giveBack(back);
        list.giveBack(back, now);
      }
      RC_ASSERT(window.count(now) == list.count(now));
      const int number = *rc::gen::inRange(0, 12);
      RC_ASSERT(window.fallsBelow(number, now) == list.fallsBelow(number, now));
    }
  });
}

TEST(SlidingWindow, NeverExpiresEventsMergedIntoTheLastEarlyOrMuchTooLate) {
  test::holdsInRuns(2'000, [] {
    const std::size_t most = *rc::gen::inRange<std::size_t>(2, 17);
    List list{.length = nanoseconds{*rc::gen::inRange(1'000, 1'000'000)}};
    SlidingWindow window{list.length, most};
    const nanoseconds span = list.length / static_cast<std::int64_t>(most / 2);
    Instant now = start;
    const int steps = *rc::gen::inRange(1, 150);
    for (int n = 0; n < steps; ++n) {
      now += anyStep(list.length / *rc::gen::inRange(1, 20));
      window.add(now);
      list.times.push_back(now);
      RC_ASSERT(window.instants() <= most);
      RC_ASSERT(window.count(now) >= list.count(now));
      RC_ASSERT(window.count(now) <= list.countSince(now, list.length + span));
    }
  });
}

TEST(SlidingWindow, NeverExpiresEventsMergedIntoTheFirstLateOrMuchTooEarly) {
  test::holdsInRuns(2'000, [] {
    const std::size_t most = *rc::gen::inRange<std::size_t>(2, 17);
    List list{.length = nanoseconds{*rc::gen::inRange(1'000, 1'000'000)}};
    SlidingWindow window{list.length, most, SlidingWindow::Joined::leaveWithFirst};
    const nanoseconds span = list.length / static_cast<std::int64_t>(most / 2);
    Instant now = start;
    const int steps = *rc::gen::inRange(1, 150);
    for (int n = 0; n < steps; ++n) {
      now += anyStep(list.length / *rc::gen::inRange(1, 20));
      window.add(now);
      list.times.push_back(now);
      RC_ASSERT(window.instants() <= most);
      RC_ASSERT(window.count(now) <= list.count(now));
      RC_ASSERT(window.count(now) >= list.countSince(now, list.length - span));
    }
  });
}

}  // namespace

}  // namespace tally::detail
