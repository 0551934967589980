#include <chrono>

#include <tally/testing/time_matcher.h>

#include <gtest/gtest.h>

#include "failure.h"

namespace {

using namespace std::chrono_literals;
using tally::testing::IsTime;
using testing::Not;

constexpr std::chrono::sys_seconds newYear{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

TEST(IsTime, MatchesSecondsAndInstants) {
  EXPECT_THAT(newYear, IsTime(newYear));
  EXPECT_THAT(tally::Instant{newYear} + 1ns, IsTime(tally::Instant{newYear} + 1ns));
  EXPECT_THAT(newYear, Not(IsTime(newYear + 1s)));
}

TEST(IsTime, ShowsBothTimesInAFailure) {
  EXPECT_EQ(explanationOf(newYear, IsTime(newYear + 1s)), "which is 2026-01-01T00:00:00Z");
  EXPECT_EQ(descriptionOf<std::chrono::sys_seconds>(IsTime(newYear + 1s)), "is 2026-01-01T00:00:01Z");
  EXPECT_EQ(descriptionOf<tally::Instant>(Not(IsTime(newYear))), "isn't 2026-01-01T00:00:00Z");
}

}  // namespace
