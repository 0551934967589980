#include "redact/complaint.h"

#include <gtest/gtest.h>

namespace tally::detail {
namespace {

TEST(Complaint, RefersToTheHelpInASeparateSentenceAfterAQuestion) {
  EXPECT_EQ(seeHelp("fake", "--port needs a value"), "fake: --port needs a value; see fake --help");
  EXPECT_EQ(seeHelp("fake", "did you mean 'a'?"), "fake: did you mean 'a'? See fake --help");
}

TEST(Complaint, ShowsNoKeys) {
  EXPECT_EQ(complaint("fake", "can't read sk_live_abcdefghijklmnop"), "fake: can't read [redacted]");
  EXPECT_EQ(seeHelp("fake", "unknown option sk_test_abcdefghijklmnop"),
            "fake: unknown option [redacted]; see fake --help");
}

}  // namespace
}  // namespace tally::detail
