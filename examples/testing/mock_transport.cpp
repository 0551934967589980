// Tests what an application sends and how it handles a response, with a GoogleMock transport.

#include <tally/tally.h>
#include <tally/testing/testing.h>

#include <gtest/gtest.h>

namespace {

using namespace tally::testing;
using testing::_;
using testing::AllOf;

/// The application: reports that the customer gave up, with the order number.
tally::Result<tally::PaymentRecord> giveUp(const tally::Client& client, const std::string& order) {
  const std::chrono::sys_seconds canceledAt{std::chrono::seconds{1767225600}};
  return client.paymentRecords().reportCanceled("pr_1",
                                                {.canceledAt = canceledAt, .metadata = {{"order", order}}});
}

TEST(GivingUp, SendsTheNumberOfTheOrder) {
  const auto transport = std::make_shared<MockTransport>();
  EXPECT_CALL(*transport,
              send(AllOf(HasMethod(tally::Method::post),
                         HasPath("/v1/payment_records/pr_1/report_payment_attempt_canceled"),
                         HasParam("canceled_at", "1767225600"), HasParam("metadata[order]", "42")),
                   _))
      .WillOnce(FailWith(tally::TransportFailure::Kind::timeout, true));

  EXPECT_THAT(giveUp(tally::Client{clientOptions(transport)}, "42"),
              HasError(tally::ErrorKind::timeout, WithEffect(tally::Effect::unknown)));
}

TEST(GivingUp, KeepsAnUnknownRateLimitReason) {
  const auto transport = std::make_shared<MockTransport>();
  EXPECT_CALL(*transport, send)
      .WillOnce(RespondWith(429, R"({"error":{"type":"rate_limit_error","code":"rate_limit"}})",
                            {{"Service-Rate-Limited-Reason", "lunar-rate"}}));

  EXPECT_THAT(giveUp(tally::Client{clientOptions(transport)}, "42"),
              HasError(tally::ErrorKind::rateLimited, WithReason("lunar-rate")));
}

}  // namespace
