// Tests of an application, with GoogleTest: a fixture that owns the service and checks that every fault that
// a test arranged did happen.

#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

namespace {

/// The application: reports a failed payment and says whether it is settled.
bool settleFailed(const tally::Client& client, const tally::Id<tally::PaymentRecord>& id,
                  std::chrono::sys_seconds failedAt) {
  const auto reported =
      client.paymentRecords().reportFailed(id, {.failedAt = failedAt}, {.maxNetworkRetries = 2});
  if (reported) return true;
  if (reported.error().effect() == tally::Effect::none) return false;
  const auto record = client.paymentRecords().retrieve(id);
  return record && record.value().amountFailed == record.value().amountRequested;
}

class Settling : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(service.verifyFaultsFired(), std::vector<std::string>{}); }

  bool settle() { return settleFailed(client, payment.id, std::chrono::sys_seconds{}); }

  tally::fake::Service service{};
  std::string key = service.addAccount().sandboxKey;
  tally::PaymentRecord payment = service.seed<tally::PaymentRecord>(key);
  tally::Client client{service.clientOptions(key)};
};

TEST_F(Settling, OutlastsTwoLockTimeouts) {
  service.script({.object = payment.id.str(), .times = 2, .error = "lock_timeout"});
  EXPECT_TRUE(settle());
}

TEST_F(Settling, FindsOutWhatBecameOfALostReport) {
  service.script({.object = payment.id.str(), .fault = tally::fake::Fault::answerLost});
  EXPECT_TRUE(settle());
  EXPECT_EQ(service.stateOf(key, payment.id.str()), "failed");
}

TEST_F(Settling, DoesNotTakeAResetForASuccess) {
  service.script({.object = payment.id.str(), .fault = tally::fake::Fault::reset});
  EXPECT_FALSE(settle());
  EXPECT_EQ(service.stateOf(key, payment.id.str()), "unreported");
}

}  // namespace
