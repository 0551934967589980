// Tests a function that reports a failed payment, with the fake and GoogleTest.

#include <chrono>

#include <tally/tally.h>
#include <tally/testing/testing.h>

#include <gtest/gtest.h>

namespace {

using namespace tally::testing;

/// The application.
tally::Result<tally::PaymentRecord> reportFailure(const tally::Client& client, const std::string& id) {
  return client.paymentRecords().reportFailed(id, {.failedAt = client.clock().now()},
                                              {.maxNetworkRetries = 2});
}

class FailureReports : public FakeTest {
 protected:
  std::string id = service.insert<tally::PaymentRecord>(key).id.str();
};

TEST_F(FailureReports, ReachTheService) {
  EXPECT_THAT(reportFailure(client, id), IsOk());
  EXPECT_THAT(service.objects().get(key, id), IsInState("failed"));
}

TEST_F(FailureReports, OutlastALock) {
  service.faults().inject({.object = id, .times = 2, .error = "lock_timeout"});
  EXPECT_THAT(reportFailure(client, id), IsOk());
  EXPECT_EQ(service.requests().size(), 3U);
}

TEST_F(FailureReports, DoNotHideALostRequest) {
  service.faults().inject({.object = id, .fault = tally::fake::Fault::reset});
  EXPECT_THAT(reportFailure(client, id),
              HasError(tally::ErrorKind::connection, WithEffect(tally::Effect::unknown)));
}

}  // namespace
