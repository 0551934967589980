#include "text/call_mark.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::detail {

namespace {

TEST(CallMark, ContainsTheCallAndTheAttempt) {
  EXPECT_EQ(callMark(0x9F86D081884C7D65U, 2), "9f86d081884c7d65; attempt=2");
  EXPECT_EQ(callMark(1, 1), "0000000000000001; attempt=1");
}

RC_GTEST_PROP(CallMark, RoundTripsForAnyCallAndAttempt, (std::uint64_t call, std::uint16_t attempts)) {
  const int attempt = attempts + 1;
  const std::string written = callMark(call, attempt);
  const auto read = readCallMark(written);
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->attempt == attempt);
  RC_ASSERT(callMark(std::stoull(std::string{read->call}, nullptr, 16), attempt) == written);
}

/// Other clients may write it by hand.
TEST(CallMark, IsReadDespiteBlanksAndExtraParameters) {
  const auto read = readCallMark(" 9F86d081884c7d65\t;resolves=1 ; Attempt=12;;");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->call, "9F86d081884c7d65");
  EXPECT_EQ(read->attempt, 12);
}

TEST(CallMark, IsNotReadIfMalformed) {
  for (const std::string value :
       {"", ";", "9f86d081884c7d65", "9f86d081884c7d65;",
        "9f86d081884c7d65; attempt=", "9f86d081884c7d65; attempt=0", "9f86d081884c7d65; attempt=-1",
        "9f86d081884c7d65; attempt=1x", "9f86d081884c7d65; attempt=99999999999", "9f86d081884c7d6; attempt=1",
        "9f86d081884c7d655; attempt=1", "9f86d081884c7d6g; attempt=1", "attempt=1; 9f86d081884c7d65"})
    EXPECT_FALSE(readCallMark(value)) << value;
}

RC_GTEST_PROP(CallMark, IsEitherReadCompletelyOrNotAtAll, (const std::string& value)) {
  const auto read = readCallMark(value);
  RC_ASSERT(!read || (read->call.size() == 16 && read->attempt > 0));
}

}  // namespace

}  // namespace tally::detail
