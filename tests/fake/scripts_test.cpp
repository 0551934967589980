#include "scripts.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "description.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view reportFailed = "payment_records.report_failed";
constexpr std::string_view retrieve = "payment_records.retrieve";

class ScriptsTest : public testing::Test {
 protected:
  std::string take(std::string_view operation, std::string_view object) {
    const Fault fault = scripts.take(operation, object);
    return fault ? std::string{fault->answer->name} : "none";
  }

  Scripts scripts{Description{}.operations, Description{}.errors};
};

TEST_F(ScriptsTest, FireAsOftenAsTheySay) {
  scripts.add({.times = 2, .error = "lock_timeout"});
  EXPECT_EQ(take(retrieve, "pr_1"), "lock_timeout");
  EXPECT_EQ(scripts.unfired(), (std::vector<Script>{{.times = 1, .error = "lock_timeout"}}));
  EXPECT_EQ(take(retrieve, "pr_2"), "lock_timeout");
  EXPECT_EQ(take(retrieve, "pr_1"), "none");
  EXPECT_TRUE(scripts.unfired().empty());
}

TEST_F(ScriptsTest, FireOnlyForWhatTheyName) {
  scripts.add({.operation = std::string{reportFailed}, .object = "pr_1", .error = "lock_timeout"});
  EXPECT_EQ(take(retrieve, "pr_1"), "none");
  EXPECT_EQ(take(reportFailed, "pr_2"), "none");
  EXPECT_EQ(take(reportFailed, ""), "none");
  EXPECT_EQ(take(reportFailed, "pr_1"), "lock_timeout");
}

TEST_F(ScriptsTest, FireInTheOrderInWhichTheyWereAdded) {
  scripts.add({.object = "pr_1", .error = "resource_missing"});
  scripts.add({.error = "lock_timeout"});
  scripts.add({.error = "key_unknown"});
  EXPECT_EQ(take(retrieve, "pr_2"), "lock_timeout");
  EXPECT_EQ(take(retrieve, "pr_1"), "resource_missing");
  EXPECT_EQ(take(retrieve, "pr_1"), "key_unknown");
}

TEST_F(ScriptsTest, BearTheReasonOfARateLimit) {
  scripts.add({.error = "rate_limit", .rateLimitedReason = "endpoint-rate"});
  scripts.add({.error = "rate_limit"});
  EXPECT_EQ(scripts.take(retrieve, "")->rateLimitedReason, "endpoint-rate");
  EXPECT_EQ(scripts.take(retrieve, "")->rateLimitedReason, "global-rate");
}

TEST_F(ScriptsTest, AreRefusedWhereTheyCouldNeverFire) {
  EXPECT_THROW(scripts.add({.error = "lock_timeoutt"}), std::invalid_argument);
  EXPECT_THROW(scripts.add({.error = ""}), std::invalid_argument);
  EXPECT_THROW(scripts.add({.operation = "payment_records.report", .error = "lock_timeout"}),
               std::invalid_argument);
  EXPECT_THROW(scripts.add({.times = 0, .error = "lock_timeout"}), std::invalid_argument);
  EXPECT_THROW(scripts.add({.error = "lock_timeout", .rateLimitedReason = "global-rate"}),
               std::invalid_argument);
  EXPECT_TRUE(scripts.unfired().empty());
}

TEST_F(ScriptsTest, SayWhatIsWrongWithThem) {
  try {
    scripts.add({.error = "lock_timeoutt"});
    FAIL();
  } catch (const std::invalid_argument& refused) {
    EXPECT_STREQ(refused.what(), "a script names an error 'lock_timeoutt' that does not exist");
  }
}

}  // namespace

}  // namespace tally::fake::detail
