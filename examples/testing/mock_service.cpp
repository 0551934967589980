// Tests an application without HTTP and without a fake: the methods of a service are mocked, and the
// application still takes a tally::Client.

#include <memory>

#include <tally/tally.h>
#include <tally/testing/mock_payment_records.h>
#include <tally/testing/testing.h>

#include <gtest/gtest.h>

namespace {

using namespace tally::testing;
using testing::_;
using testing::Field;
using testing::Optional;
using testing::Return;

/// The application: reports a failed payment, unless it has been guaranteed meanwhile.
std::string reportFailure(const tally::Client& client, const std::string& id, std::chrono::sys_seconds at) {
  const auto reported = client.paymentRecords().reportFailed(id, {.failedAt = at});
  if (reported) return "failed: " + reported.value().description;
  return reported.error().code() == "payment_attempt_already_guaranteed" ? "paid" : "try again";
}

class Failures : public testing::Test {
 protected:
  const std::chrono::sys_seconds at{std::chrono::seconds{1767225600}};
  std::shared_ptr<MockPaymentRecords> payments = std::make_shared<MockPaymentRecords>();
  tally::Client client{clientOptions(payments)};
};

TEST_F(Failures, AreReportedWithTheirTime) {
  using Params = tally::PaymentRecordReportFailedParams;
  EXPECT_CALL(*payments, reportFailed("pr_1", Field(&Params::failedAt, Optional(at))))
      .WillOnce(Return(tally::PaymentRecord{.id = "pr_1", .description = "Tea"}));
  EXPECT_EQ(reportFailure(client, "pr_1", at), "failed: Tea");
}

TEST_F(Failures, AreNoneIfThePaymentIsGuaranteed) {
  EXPECT_CALL(*payments, reportFailed("pr_1", _))
      .WillOnce(Return(tally::fake::serviceError("payment_attempt_already_guaranteed")));
  EXPECT_EQ(reportFailure(client, "pr_1", at), "paid");
}

TEST_F(Failures, AreTriedAgainAfterATimeout) {
  EXPECT_CALL(*payments, reportFailed)
      .WillOnce(Return(tally::Error{{.kind = tally::ErrorKind::timeout, .effect = tally::Effect::unknown}}));
  EXPECT_EQ(reportFailure(client, "pr_1", at), "try again");
}

}  // namespace
