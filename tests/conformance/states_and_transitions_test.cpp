// Spec: "States and transitions": a test for each row of its table.

#include "conformance/support/conformance.h"

namespace tally::conformance {
namespace {

class StatesAndTransitions : public Conformance {
 protected:
  using Report = std::function<Result<PaymentRecord>(const Id<PaymentRecord>&)>;

  Report canceled = [this](const Id<PaymentRecord>& id) {
    return records.reportCanceled(id, {.canceledAt = reportTime});
  };
  Report failed = [this](const Id<PaymentRecord>& id) {
    return records.reportFailed(id, {.failedAt = reportTime});
  };
  Report guaranteed = [this](const Id<PaymentRecord>& id) {
    return records.reportGuaranteed(id, {.guaranteedAt = reportTime});
  };

  /// A record in each state before guaranteed.
  std::vector<Id<PaymentRecord>> notYetGuaranteed() {
    const auto fresh = insert().id;
    const auto wasCanceled = canceled(insert().id).value().id;
    const auto wasFailed = failed(insert().id).value().id;
    return {fresh, wasCanceled, wasFailed};
  }

  std::string state(const Id<PaymentRecord>& id) {
    return service.objects().stateOf(key, id.str()).value_or("none");
  }

  static void expectAmounts(const PaymentRecord& record, std::int64_t ofCanceled, std::int64_t ofFailed,
                            std::int64_t ofGuaranteed) {
    EXPECT_EQ(record.amountCanceled.value, ofCanceled);
    EXPECT_EQ(record.amountFailed.value, ofFailed);
    EXPECT_EQ(record.amountGuaranteed.value, ofGuaranteed);
  }
};

using UnguaranteedAttempt = StatesAndTransitions;
using GuaranteedAttempt = StatesAndTransitions;
using NewAttempt = StatesAndTransitions;

TEST_F(UnguaranteedAttempt, BecomesCanceledWhenItIsReportedAsCanceled) {
  for (const auto& id : notYetGuaranteed()) {
    const PaymentRecord record = canceled(id).value();
    EXPECT_EQ(state(id), "canceled");
    expectAmounts(record, record.amountRequested.value, 0, 0);
  }
}

TEST_F(UnguaranteedAttempt, BecomesFailedWhenItIsReportedAsFailed) {
  for (const auto& id : notYetGuaranteed()) {
    const PaymentRecord record = failed(id).value();
    EXPECT_EQ(state(id), "failed");
    expectAmounts(record, 0, record.amountRequested.value, 0);
  }
}

TEST_F(UnguaranteedAttempt, BecomesGuaranteedWhenItIsReportedAsGuaranteed) {
  for (const auto& id : notYetGuaranteed()) {
    const PaymentRecord record = guaranteed(id).value();
    EXPECT_EQ(state(id), "guaranteed");
    expectAmounts(record, 0, 0, record.amountRequested.value);
  }
}

TEST_F(GuaranteedAttempt, RefusesAnyReportAndRemainsUnchanged) {
  const auto id = insert().id;
  const PaymentRecord before = guaranteed(id).value();
  for (const Report& report : {canceled, failed, guaranteed}) {
    const Error error = report(id).error();
    EXPECT_EQ(error.kind(), ErrorKind::invalidRequest);
    EXPECT_EQ(error.status(), 400);
    EXPECT_EQ(error.code(), error_code::paymentAttemptAlreadyGuaranteed);
    EXPECT_EQ(error.effect(), Effect::none);
    EXPECT_EQ(records.retrieve(id).value(), before);
    EXPECT_EQ(state(id), "guaranteed");
  }
}

TEST_F(GuaranteedAttempt, KeepsItsMetadataWhenAReportIsRefused) {
  const auto id = insert([](PaymentRecord& record) { record.metadata = {{"order", "42"}}; }).id;
  (void)guaranteed(id).value();
  EXPECT_FALSE(records.reportFailed(id, {.failedAt = reportTime, .metadata = {{"order", "43"}}}));
  EXPECT_EQ(records.retrieve(id).value().metadata, (Metadata{{"order", "42"}}));
}

TEST_F(NewAttempt, IsUnreported) {
  EXPECT_EQ(state(insert().id), "unreported");
}

}  // namespace
}  // namespace tally::conformance
