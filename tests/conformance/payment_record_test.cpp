// Spec: "Payment record": a test for each row of its tables.

#include "conformance/support/conformance.h"

namespace tally::conformance {
namespace {

class ReturnedPaymentRecord : public Conformance {
 protected:
  PaymentRecord inserted = insert([](PaymentRecord& record) { record.amountRequested = {"eur", 1'234}; });

  PaymentRecord retrieved() { return records.retrieve(inserted.id).value(); }
  std::string json() { return get("/v1/payment_records/" + inserted.id.str()).body; }
};

TEST_F(ReturnedPaymentRecord, HasAPrefixedId) {
  EXPECT_TRUE(retrieved().id.str().starts_with("pr_"));
  EXPECT_GT(retrieved().id.str().size(), 3U);
}

TEST_F(ReturnedPaymentRecord, HasPaymentRecordAsItsObjectType) {
  EXPECT_EQ(PaymentRecord::object, "payment_record");
  EXPECT_NE(json().find(R"("object":"payment_record")"), std::string::npos);
}

TEST_F(ReturnedPaymentRecord, HasTheRequestedAmount) {
  EXPECT_EQ(retrieved().amountRequested, (Amount{"eur", 1'234}));
}

TEST_F(ReturnedPaymentRecord, HasACanceledAmountOfZeroUntilItIsReportedAsCanceled) {
  EXPECT_EQ(retrieved().amountCanceled, (Amount{"eur", 0}));
  EXPECT_EQ(records.reportCanceled(inserted.id, {.canceledAt = reportTime}).value().amountCanceled,
            (Amount{"eur", 1'234}));
}

TEST_F(ReturnedPaymentRecord, HasAFailedAmountOfZeroUntilItIsReportedAsFailed) {
  EXPECT_EQ(retrieved().amountFailed, (Amount{"eur", 0}));
  EXPECT_EQ(records.reportFailed(inserted.id, {.failedAt = reportTime}).value().amountFailed,
            (Amount{"eur", 1'234}));
}

TEST_F(ReturnedPaymentRecord, HasAGuaranteedAmountOfZeroUntilItIsReportedAsGuaranteed) {
  EXPECT_EQ(retrieved().amountGuaranteed, (Amount{"eur", 0}));
  EXPECT_EQ(records.reportGuaranteed(inserted.id, {.guaranteedAt = reportTime}).value().amountGuaranteed,
            (Amount{"eur", 1'234}));
}

TEST_F(ReturnedPaymentRecord, KeepsItsRefundedAmountWhenItIsReportedAsFailed) {
  const auto refunded = insert([](PaymentRecord& record) { record.amountRefunded.value = 5; });
  EXPECT_EQ(records.retrieve(refunded.id).value().amountRefunded.value, 5);
  EXPECT_EQ(records.reportFailed(refunded.id, {.failedAt = reportTime}).value().amountRefunded.value, 5);
}

TEST_F(ReturnedPaymentRecord, HasItsCreationTimeInWholeSeconds) {
  EXPECT_EQ(retrieved().created, std::chrono::floor<std::chrono::seconds>(service.clock()->now()));
}

TEST_F(ReturnedPaymentRecord, HasNullCustomerDetailsUnlessTheyAreKnown) {
  EXPECT_EQ(retrieved().customerDetails, std::nullopt);
  EXPECT_NE(json().find(R"("customer_details":null)"), std::string::npos);
  const auto known =
      insert([](PaymentRecord& record) { record.customerDetails = RawJson{R"({"name":"Ann"})"}; });
  EXPECT_EQ(records.retrieve(known.id).value().customerDetails, RawJson{R"({"name":"Ann"})"});
}

TEST_F(ReturnedPaymentRecord, MayHaveAnUnknownCustomerPresence) {
  EXPECT_EQ(retrieved().customerPresence, PaymentRecordCustomerPresence::onSession);
  const auto other = insert([](PaymentRecord& record) {
    record.customerPresence = OpenEnum<PaymentRecordCustomerPresence>{"by_post"};
  });
  EXPECT_EQ(records.retrieve(other.id).value().customerPresence.str(), "by_post");
}

TEST_F(ReturnedPaymentRecord, HasItsDescriptionUnchanged) {
  const auto described = insert([](PaymentRecord& record) { record.description = "Täa \"for\" two\n"; });
  EXPECT_EQ(records.retrieve(described.id).value().description, "Täa \"for\" two\n");
}

TEST_F(ReturnedPaymentRecord, HasALatestPaymentAttemptRecordWithAPrefixedId) {
  EXPECT_TRUE(retrieved().latestPaymentAttemptRecord.str().starts_with("par_"));
}

TEST_F(ReturnedPaymentRecord, HasTheModeOfTheKey) {
  EXPECT_FALSE(retrieved().livemode);
  const Client live{service.clientOptions(account.liveKey)};
  const auto record = service.insert<PaymentRecord>(account.liveKey);
  EXPECT_TRUE(live.paymentRecords().retrieve(record.id).value().livemode);
  EXPECT_EQ(records.retrieve(record.id).error().kind(), ErrorKind::notFound);
}

TEST_F(ReturnedPaymentRecord, HasEmptyMetadataByDefault) {
  EXPECT_TRUE(retrieved().metadata.empty());
  EXPECT_NE(json().find(R"("metadata":{})"), std::string::npos);
  const auto record = insert([](PaymentRecord& edited) { edited.metadata = {{"order", "42"}}; });
  EXPECT_EQ(records.retrieve(record.id).value().metadata, (Metadata{{"order", "42"}}));
}

TEST_F(ReturnedPaymentRecord, HasPaymentMethodDetailsOfTheTypeCustom) {
  const PaymentMethodDetails details = retrieved().paymentMethodDetails;
  EXPECT_EQ(details.type, PaymentMethodDetailsType::custom);
  EXPECT_EQ(details.billingDetails, std::nullopt);
  EXPECT_EQ(details.paymentMethod, std::nullopt);
  EXPECT_FALSE(details.custom.displayName.empty());
  EXPECT_EQ(details.custom.type, CustomPaymentMethodType::custom);
}

TEST_F(ReturnedPaymentRecord, HasProcessorDetailsOfTheTypeCustom) {
  const ProcessorDetails details = retrieved().processorDetails;
  EXPECT_EQ(details.type, ProcessorDetailsType::custom);
  EXPECT_FALSE(details.custom.paymentReference.empty());
}

TEST_F(ReturnedPaymentRecord, HasNullShippingDetailsByDefault) {
  EXPECT_EQ(retrieved().shippingDetails, std::nullopt);
  EXPECT_NE(json().find(R"("shipping_details":null)"), std::string::npos);
}

}  // namespace
}  // namespace tally::conformance
