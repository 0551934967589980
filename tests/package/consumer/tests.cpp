#include <tally/testing/testing.h>

#include <gtest/gtest.h>

using namespace tally::testing;

TEST_F(FakeTest, IsInThePackage) {
  const auto payment = service.insert<tally::PaymentRecord>(key);
  EXPECT_THAT(client.paymentRecords().retrieve(payment.id), IsOkAnd(payment));
}
