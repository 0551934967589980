#include "pacing.h"

#include <string>

#include <tally/limits.h>

#include <gtest/gtest.h>

#include "operations.h"
#include "paced_call.h"

namespace tally::detail {
namespace {

using namespace std::chrono_literals;

/// Calls that update payment intents, each of which has a count of its own.
class PacingTest : public testing::Test {
 protected:
  PacedCall call(const std::string& key, const std::string& intent) {
    const HttpRequest request{.headers = {{"Authorization", "Bearer " + key}}};
    return PacedCall{pacing, paymentIntentsUpdate, pacing.request(paymentIntentsUpdate, intent, nullptr),
                     request};
  }
  void carryOut(PacedCall&& call) {
    ASSERT_EQ(call.ask(now, Instant::max()), PacedCall::Verdict::go);
    call.sending(now);
    call.answered(now, {.answered = true});
  }
  /// So many, one a minute.
  void updateOthers(int count) {
    for (int n = 0; n < count; ++n) {
      now += 1min;
      carryOut(call("sk_live_2", "pi_" + std::to_string(n)));
    }
  }

  Pacing pacing{LimitPlan{operations, limits::all}, {}};
  Instant now = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
};

TEST_F(PacingTest, ForgetsObjectsAndAccountsToWhichNothingHappens) {
  updateOthers(3'000);
  EXPECT_LE(pacing.size(), 1'100U);
  for (int n = 0; n < 600; ++n)
    carryOut(call("sk_live_" + std::to_string(n), "pi_1"));
  EXPECT_GE(pacing.size(), 1'200U) << "for each object, and for each account in all";
  now += 1h;
  updateOthers(6'000);
  EXPECT_LE(pacing.size(), 1'100U);
}

TEST_F(PacingTest, KeepsWhatACallStillNeeds) {
  PacedCall waiting = call("sk_live_1", "pi_1");
  updateOthers(2'000);
  carryOut(std::move(waiting));
  EXPECT_EQ(pacing.usage(pacing.accountOf("sk_live_1", {}), now).size(), 2U) << "for the object, and in all";
}

}  // namespace
}  // namespace tally::detail
