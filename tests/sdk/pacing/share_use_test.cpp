// How much of the limits several processes use that share them, in comparison with one process.

#include <gtest/gtest.h>

#include "sdk/support/sharing.h"

namespace tally::test {
namespace {

/// The calls of one endpoint have its limit, 25 a second; those of five also that of the account, 100.
class ShareUseTest : public testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(Endpoints, ShareUseTest, testing::Values(1, 5));

TEST_P(ShareUseTest, IsAtLeast95PercentOfThatOfOneProcessIfDemandIsSteady) {
  const ShareUse use = steadyUse(GetParam());
  EXPECT_GE(use.ofOneProcess, 0.95);
  EXPECT_EQ(use.refused, 0);
  RecordProperty("use", std::to_string(use.ofOneProcess));
}

TEST_P(ShareUseTest, IsAtLeast85PercentOfThatOfOneProcessIfDemandChanges) {
  for (const std::uint32_t seed : {1U, 2U}) {
    const ShareUse use = changingUse(GetParam(), seed);
    EXPECT_GE(use.ofOneProcess, 0.85) << "seed " << seed;
    EXPECT_LE(use.refused, 5) << "seed " << seed;
    RecordProperty("use of seed " + std::to_string(seed), std::to_string(use.ofOneProcess));
  }
}

}  // namespace
}  // namespace tally::test
