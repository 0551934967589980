// Hundreds of thousands of calls from several threads under every kind of failure. What clients were told and
// what the service did agree: nothing is lost or duplicated, and no change that happened is reported as
// effect `none`.

#include <algorithm>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fault_rules.h"
#include "round.h"
#include "settings.h"

namespace tally::stress {
namespace {

using testing::IsEmpty;
using testing::IsSupersetOf;

std::string howToRepeat(std::uint64_t seed) {
  return "repeat it with: stress_tests --rounds=1 --seed=" + std::to_string(seed);
}

TEST(StressedClients, ReportTheTrueEffectsOfTheirCalls) {
  std::set<std::string> mishaps;
  std::size_t done = 0;
  for (int i = 0; i < settings().rounds; ++i) {
    const std::uint64_t seed = settings().seed + static_cast<std::uint64_t>(i);
    const RoundResult result = play({.seed = seed});
    ASSERT_THAT(result.problems, IsEmpty()) << howToRepeat(seed);
    mishaps.insert(result.mishaps.begin(), result.mishaps.end());
    done += static_cast<std::size_t>(std::ranges::count(result.claims, Said::happened, &Claim::said));
  }
  EXPECT_GT(done, 200U * static_cast<std::size_t>(settings().rounds)) << "too few calls succeeded";
  if (settings().rounds < 10) return;
  EXPECT_THAT(mishaps, IsSupersetOf(injectedErrors()));
  EXPECT_THAT(mishaps, IsSupersetOf(injectedFaults()));
}

TEST(StressRound, IsReproducibleFromItsSeed) {
  const RoundOptions options{.seed = settings().seed, .callsOfEach = 100};
  const RoundResult first = play(options);
  const RoundResult second = play(options);
  EXPECT_EQ(first.log, second.log);
  RoundOptions other = options;
  ++other.seed;
  EXPECT_NE(first.log, play(other).log);
}

TEST(ConcurrentClients, ReportTheTrueEffectsOfTheirCalls) {
  for (int i = 0; i < std::min(settings().rounds, 10); ++i) {
    const std::uint64_t seed = settings().seed + static_cast<std::uint64_t>(i);
    EXPECT_THAT(play({.seed = seed, .threads = Threads::atOnce}).problems, IsEmpty())
        << "with the seed " << seed;
  }
}

}  // namespace
}  // namespace tally::stress
