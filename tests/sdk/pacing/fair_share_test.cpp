#include "pacing/fair_share.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::detail {
namespace {

using testing::ElementsAre;

TEST(FairShares, EqualTheDemandWhenThereIsEnough) {
  EXPECT_THAT(fairShares({{"a", 3}, {"b", 9}}, 12), ElementsAre(3, 9));
}

TEST(FairShares, DivideTheRestAmongParticipantsThatWantMore) {
  EXPECT_THAT(fairShares({{"a", 50}, {"b", 3}, {"c", 50}}, 25), ElementsAre(11, 3, 11));
}

TEST(FairShares, GiveTheRemainderToTheLastParticipant) {
  EXPECT_THAT(fairShares({{"b", 50}, {"a", 50}, {"c", 50}}, 25), ElementsAre(8, 8, 9));
}

TEST(FairShares, AreAtLeastOneUnitEach) {
  EXPECT_THAT(fairShares({{"a", 5}, {"b", 5}, {"c", 5}}, 2), ElementsAre(1, 1, 1));
}

RC_GTEST_PROP(FairShares, LeaveNoUnitUnassignedIfSomeoneWantsIt, ()) {
  const auto wants = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(1, 40)));
  std::vector<ShareDemand> demands;
  for (const std::int64_t want : wants)
    demands.push_back({std::to_string(demands.size()), want});
  const auto count = static_cast<std::int64_t>(wants.size());
  const std::int64_t total = *rc::gen::inRange<std::int64_t>(count, count + 200);
  const auto shares = fairShares(demands, total);
  const auto sum = [](const auto& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
  };
  RC_ASSERT(sum(shares) == std::min(total, sum(wants)));
}

}  // namespace
}  // namespace tally::detail
