#include "outcomes.h"

#include <tally/testing/testing.h>

#include <gtest/gtest.h>

namespace {

using tally::fake::Fault;
using namespace tally::testing;

class Outcomes : public FakeTest {
 protected:
  tally::Result<tally::PaymentRecord> report() {
    return reportFailure(client, payment, std::chrono::sys_days{std::chrono::year{2026} / 1 / 1});
  }
  [[nodiscard]] std::optional<tally::fake::StoredObject> stored() const {
    return service.objects().get(key, payment.id.str());
  }

  tally::PaymentRecord payment = service.insert<tally::PaymentRecord>(key);
};

TEST_F(Outcomes, AreReported) {
  EXPECT_THAT(report(), IsOk());
  EXPECT_THAT(stored(), IsInState("failed"));
}

TEST_F(Outcomes, AreNotReportedTwiceIfTheResponseIsLost) {
  service.faults().inject({.fault = Fault::responseLost});
  EXPECT_THAT(report(), IsOk());
  EXPECT_THAT(service, Received({.operation = "payment_records.report_failed", .processed = true}));
}

TEST_F(Outcomes, AreReportedAgainIfTheRequestIsLost) {
  service.faults().inject({.fault = Fault::reset});
  EXPECT_THAT(report(), IsOk());
  EXPECT_THAT(stored(), IsInState("failed"));
}

TEST_F(Outcomes, StayGuaranteed) {
  ASSERT_THAT(client.paymentRecords().reportGuaranteed(payment.id, {.guaranteedAt = tally::Timestamp{}}),
              IsOk());
  EXPECT_THAT(report(), HasError(tally::ErrorKind::invalidRequest, WithEffect(tally::Effect::none)));
}

}  // namespace
