#include "har/recorded_target.h"

#include <gtest/gtest.h>

namespace tally::detail {

namespace {

TEST(RecordedTarget, OmitsTheServerAndTheFragment) {
  EXPECT_EQ(recordedTarget("https://api.example.com:8443/v1/payouts?limit=3#top"), "/v1/payouts?limit=3");
  EXPECT_EQ(recordedTarget("/v1/payouts"), "/v1/payouts");
  EXPECT_EQ(recordedTarget("https://api.example.com"), "/");
}

TEST(RecordedTarget, OmitsTheGatewayPrefix) {
  EXPECT_EQ(recordedTarget("http://gateway/payments/eu/v1/payouts?a=/v2/b"), "/v1/payouts?a=/v2/b");
  EXPECT_EQ(recordedTarget("/payments/v2/core/accounts"), "/v2/core/accounts");
  EXPECT_EQ(recordedTarget("/v2/core/v1/x"), "/v2/core/v1/x");
}

TEST(RecordedTarget, IsTheWholePathAndQueryOfAnUnknownUrl) {
  EXPECT_EQ(recordedTarget("http://gateway/health"), "/health");
  EXPECT_EQ(recordedTarget("/health?next=/v1/payouts"), "/health?next=/v1/payouts");
  EXPECT_EQ(recordedTarget("?next=http://a/v1/b"), "?next=http://a/v1/b");
}

}  // namespace

}  // namespace tally::detail
