// Application tests with GoogleTest: FakeTest owns the service and checks that every injected fault occurred.

#include <tally/tally.h>
#include <tally/testing/testing.h>

#include <gtest/gtest.h>

namespace {

using namespace tally::testing;
using testing::AllOf;
using testing::ElementsAre;

/// The application: reports a failed payment and returns the record, even if the response is lost.
tally::Result<tally::PaymentRecord> reportFailure(const tally::Client& client,
                                                  const tally::Id<tally::PaymentRecord>& id,
                                                  std::chrono::sys_seconds failedAt) {
  const tally::PaymentRecordReportFailedParams failed{.failedAt = failedAt};
  auto reported = client.paymentRecords().reportFailed(id, failed, {.maxNetworkRetries = 2});
  if (reported || reported.error().effect() == tally::Effect::none) return reported;
  const auto check = client.paymentRecords().checkReport(id, failed);
  if (check.has_value() && check->status == tally::ReportStatus::applied) return check->object;
  return reported;
}

class FailureReports : public FakeTest {
 protected:
  tally::Result<tally::PaymentRecord> report() {
    return reportFailure(client, payment.id, std::chrono::sys_seconds{});
  }

  tally::PaymentRecord payment = service.insert<tally::PaymentRecord>(key);
};

TEST_F(FailureReports, OutlastsTwoLockTimeouts) {
  service.faults().inject({.object = payment.id.str(), .times = 2, .error = "lock_timeout"});
  EXPECT_THAT(report(), IsOk());
  EXPECT_THAT(service.requests().list(),
              ElementsAre(HasStatus(429, "lock_timeout"), HasStatus(429, "lock_timeout"), HasStatus(200)));
}

TEST_F(FailureReports, FindsOutWhatBecameOfALostReport) {
  service.faults().inject({.object = payment.id.str(), .fault = tally::fake::Fault::responseLost});
  EXPECT_THAT(report(), IsOkAnd(testing::Field("amountFailed", &tally::PaymentRecord::amountFailed,
                                               payment.amountRequested)));
  EXPECT_THAT(service.requests().list(),
              ElementsAre(AllOf(Operation("payment_records.report_failed"), HasParam("failed_at", "0")),
                          AllOf(Operation("payment_records.retrieve"), OnObject(payment.id.str()))));
}

TEST_F(FailureReports, DoesNotTakeAResetForASuccessIfNothingWasRequested) {
  payment = service.insert<tally::PaymentRecord>(
      key, [](tally::PaymentRecord& record) { record.amountRequested = {"eur", 0}; });
  service.faults().inject({.object = payment.id.str(), .fault = tally::fake::Fault::reset});
  EXPECT_THAT(report(), HasError(tally::ErrorKind::connection, WithEffect(tally::Effect::unknown)));
}

TEST_F(FailureReports, DoesNotTakeAResetForASuccess) {
  service.faults().inject({.object = payment.id.str(), .fault = tally::fake::Fault::reset});
  EXPECT_THAT(report(), HasError(tally::ErrorKind::connection, WithEffect(tally::Effect::unknown)));
  EXPECT_THAT(service.objects().get(key, payment.id.str()), IsInState("unreported"));
}

}  // namespace
