#include <tally/tally.h>
#include <tally/testing/fake_test.h>
#include <tally/testing/printers.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using tally::ApiKey;
using tally::testing::FakeTest;
using testing::HasSubstr;
using testing::Not;
using testing::PrintToString;

/// The arguments of a mock of the application.
class Printers : public FakeTest {};

TEST_F(Printers, DescribeObjectsThatHaveNoTextForm) {
  EXPECT_EQ(PrintToString(client), "a client");
  EXPECT_EQ(PrintToString(client.paymentRecords()), "a service of a client");
  EXPECT_EQ(PrintToString(client.payouts().list()), "a pager of objects payout");
  EXPECT_EQ(PrintToString(tally::Pacer{}), "a pacer");
  EXPECT_EQ(PrintToString(service), "a service with 0 logged requests");
}

TEST_F(Printers, NeverShowTheBytesOfAKey) {
  EXPECT_EQ(PrintToString(ApiKey{"sk_1"}), "a key");
  EXPECT_EQ(PrintToString(std::optional{ApiKey{"sk_1"}}), "(a key)");
  EXPECT_EQ(PrintToString(ApiKey{}), "no key");
}

TEST_F(Printers, ShowTheElementsOfACollectedList) {
  service.insertMany(key, "payout", 34);
  EXPECT_THAT(
      PrintToString(client.payouts().list().collect(2)),
      testing::AllOf(HasSubstr("[Payout{id: po_"), HasSubstr("}, Payout{id: po_"), Not(HasSubstr(" more]"))));
  EXPECT_THAT(PrintToString(client.payouts().list().collect(34)), testing::EndsWith(", and 2 more]"));
  EXPECT_EQ(PrintToString(client.files().list().collect(1)), "[]");
}

}  // namespace
