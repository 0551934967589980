// What an object shows about a report on it: a test for each row of docs/reference/report-checks.md.

#include "reports/report_comparison.h"

#include <optional>
#include <sstream>
#include <string>

#include <tally/payment_records.h>

#include <gtest/gtest.h>

#include "operations.h"

namespace tally {
namespace {

using detail::AnyOperation;
using detail::compareReport;
using detail::ConstObjectRef;
using detail::ReportReading;
using detail::Struct;

constexpr std::int64_t requested = 1000;

/// One of the three reports, and the record's field for its outcome.
struct ReportCase {
  const char* name;
  const AnyOperation& operation;
  Amount PaymentRecord::* amount;
};

const ReportCase canceled{"Canceled", detail::paymentRecordsReportCanceled, &PaymentRecord::amountCanceled};
const ReportCase failed{"Failed", detail::paymentRecordsReportFailed, &PaymentRecord::amountFailed};
const ReportCase guaranteed{"Guaranteed", detail::paymentRecordsReportGuaranteed,
                            &PaymentRecord::amountGuaranteed};

PaymentRecord unreported(std::int64_t value = requested) {
  PaymentRecord record;
  record.amountRequested = {"usd", value};
  record.latestPaymentAttemptRecord = "par_1";
  for (const ReportCase* report : {&canceled, &failed, &guaranteed})
    record.*report->amount = {"usd", 0};
  return record;
}

PaymentRecord reported(const ReportCase& report, const Metadata& metadata = {}) {
  PaymentRecord record = unreported();
  record.*report.amount = record.amountRequested;
  record.metadata = metadata;
  return record;
}

ReportReading read(const ReportCase& report, const MetadataEdit& edit, const PaymentRecord& record,
                   const std::optional<PaymentRecord>& before = std::nullopt) {
  const Struct& model = *report.operation.resource->model;
  const ConstObjectRef held{model, &record};
  const ConstObjectRef known{model, before ? &*before : nullptr};
  const Struct& params = *report.operation.params;
  const PaymentRecordReportCanceledParams ofCanceled{.metadata = edit};
  const PaymentRecordReportFailedParams ofFailed{.metadata = edit};
  const PaymentRecordReportGuaranteedParams ofGuaranteed{.metadata = edit};
  if (&report == &canceled) return compareReport(report.operation, {params, &ofCanceled}, held, known);
  if (&report == &failed) return compareReport(report.operation, {params, &ofFailed}, held, known);
  return compareReport(report.operation, {params, &ofGuaranteed}, held, known);
}

class EachReport : public testing::TestWithParam<const ReportCase*> {
 protected:
  const ReportCase& report = *GetParam();
  bool final = &report == &guaranteed;

  ReportReading reading(const MetadataEdit& edit, const PaymentRecord& record,
                        const std::optional<PaymentRecord>& before = std::nullopt) const {
    return read(report, edit, record, before);
  }
};

INSTANTIATE_TEST_SUITE_P(, EachReport, testing::Values(&canceled, &failed, &guaranteed),
                         [](const auto& one) { return one.param->name; });

TEST_P(EachReport, IsNotAppliedWhenTheRecordIsUnreported) {
  for (const MetadataEdit& edit : {MetadataEdit{}, MetadataEdit{{"order", "42"}}, MetadataEdit::unsetAll()}) {
    const ReportReading told = reading(edit, unreported());
    EXPECT_EQ(told.status, ReportStatus::notApplied);
    EXPECT_TRUE(told.maySend());
    EXPECT_EQ(told.reason, NoResendReason::checkOnly);
    EXPECT_FALSE(told.isFinal);
  }
}

TEST_P(EachReport, IsAppliedWhenTheRecordHasItsOutcome) {
  const ReportReading told = reading({}, reported(report, {{"order", "42"}}));
  EXPECT_EQ(told.status, ReportStatus::applied);
  EXPECT_EQ(told.reason, NoResendReason::applied);
  EXPECT_FALSE(told.maySend());
  EXPECT_EQ(told.isFinal, final);
}

TEST_P(EachReport, IsAppliedWhenTheRecordHasItsOutcomeAndMetadata) {
  const Metadata now{{"order", "42"}, {"till", "7"}};
  EXPECT_EQ(reading({{"order", "42"}}, reported(report, now)).status, ReportStatus::applied);
  EXPECT_EQ(reading(MetadataEdit{}.unset("shift"), reported(report, now)).status, ReportStatus::applied);
  EXPECT_EQ(reading(MetadataEdit{{"till", "7"}}.unset("shift"), reported(report, now)).status,
            ReportStatus::applied);
  EXPECT_EQ(reading(MetadataEdit::unsetAll(), reported(report)).status, ReportStatus::applied);
}

TEST_P(EachReport, IsAppliedWhenTheRecordAlreadyHadItsOutcome) {
  const PaymentRecord same = reported(report, {{"order", "42"}});
  EXPECT_EQ(reading({{"order", "42"}}, same, same).status, ReportStatus::applied);
}

TEST_P(EachReport, IsSupersededWhenTheRecordLacksItsMetadata) {
  const PaymentRecord record = reported(report, {{"order", "42"}});
  for (const MetadataEdit& edit : {MetadataEdit{{"order", "43"}}, MetadataEdit{{"till", "7"}},
                                   MetadataEdit{{"order", "42"}, {"till", "7"}},
                                   MetadataEdit{}.unset("order"), MetadataEdit::unsetAll()}) {
    for (const auto& before : {std::optional<PaymentRecord>{}, std::optional{unreported()}}) {
      const ReportReading told = reading(edit, record, before);
      EXPECT_EQ(told.status, ReportStatus::superseded);
      EXPECT_EQ(told.reason, final ? NoResendReason::refused : NoResendReason::otherReport);
      EXPECT_FALSE(told.maySend());
      EXPECT_EQ(told.isFinal, final);
    }
  }
}

TEST_P(EachReport, IsNotAppliedWhenTheRecordStillLacksItsMetadata) {
  const PaymentRecord same = reported(report, {{"order", "42"}});
  const ReportReading told = reading({{"order", "43"}}, same, same);
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.maySend(), !final) << "guaranteed refuses it";
}

TEST_P(EachReport, IsIndeterminateWhenTheRequestedAmountIsZero) {
  const PaymentRecord record = unreported(0);
  for (const auto& before : {std::optional<PaymentRecord>{}, std::optional{record}}) {
    const ReportReading told = reading({}, record, before);
    EXPECT_EQ(told.status, ReportStatus::indeterminate);
    EXPECT_EQ(told.reason, NoResendReason::indeterminate);
    EXPECT_FALSE(told.maySend());
    EXPECT_FALSE(told.isFinal);
  }
}

TEST_P(EachReport, IsIndeterminateWhenTheRequestedAmountIsZeroDespiteMatchingMetadata) {
  PaymentRecord record = unreported(0);
  record.metadata = {{"order", "42"}};
  EXPECT_EQ(reading({{"order", "42"}}, record, unreported(0)).status, ReportStatus::indeterminate);
}

TEST_P(EachReport, IsNotAppliedWhenItsMetadataIsMissingAndTheRequestedAmountIsZero) {
  const ReportReading told = reading({{"order", "42"}}, unreported(0), unreported(0));
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_TRUE(told.maySend());
}

TEST_P(EachReport, IsIndeterminateWhenAnAmountIsNeitherTheRequestedOneNorZero) {
  PaymentRecord part = unreported();
  (part.*report.amount).value = requested - 1;
  PaymentRecord inAnotherCurrency = reported(report);
  (inAnotherCurrency.*report.amount).currency = "eur";
  PaymentRecord two = reported(report);
  two.*(final ? failed : guaranteed).amount = two.amountRequested;
  for (const PaymentRecord& record : {part, inAnotherCurrency, two}) {
    const ReportReading told = reading({}, record);
    EXPECT_EQ(told.status, ReportStatus::indeterminate);
    EXPECT_FALSE(told.maySend());
    EXPECT_FALSE(told.isFinal);
  }
}

TEST_P(EachReport, IsRefusedWhenTheRecordWasGuaranteed) {
  const PaymentRecord before = reported(guaranteed, {{"order", "42"}});
  const ReportReading told = reading({{"order", "43"}}, before, before);
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.reason, NoResendReason::refused);
  EXPECT_FALSE(told.maySend());
  EXPECT_TRUE(told.isFinal);
}

/// Reports that another report can replace.
class EachReplaceableReport : public EachReport {
 protected:
  const ReportCase& other = &report == &failed ? canceled : failed;
};

INSTANTIATE_TEST_SUITE_P(, EachReplaceableReport, testing::Values(&canceled, &failed),
                         [](const auto& one) { return one.param->name; });

TEST_P(EachReplaceableReport, IsSupersededWhenTheRecordHasAnotherOutcome) {
  for (const auto& before : {std::optional<PaymentRecord>{}, std::optional{unreported()}}) {
    const ReportReading told = reading({}, reported(other), before);
    EXPECT_EQ(told.status, ReportStatus::superseded);
    EXPECT_FALSE(told.maySend());
    EXPECT_FALSE(told.isFinal);
  }
}

TEST_P(EachReplaceableReport, IsSupersededForGoodWhenTheRecordIsGuaranteed) {
  const ReportReading told = reading({}, reported(guaranteed));
  EXPECT_EQ(told.status, ReportStatus::superseded);
  EXPECT_FALSE(told.maySend());
  EXPECT_TRUE(told.isFinal);
}

TEST_P(EachReplaceableReport, IsNotAppliedWhenTheRecordStillHasAnotherOutcome) {
  PaymentRecord before = reported(other, {{"till", "7"}});
  PaymentRecord now = before;
  now.description = "what no report changes";
  now.amountRefunded = {"usd", 5};
  const ReportReading told = reading({{"order", "42"}}, now, before);
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_TRUE(told.maySend());
}

TEST_P(EachReplaceableReport, IsSupersededWhenTheMetadataOfAnotherOutcomeChanged) {
  const ReportReading told =
      reading({{"order", "42"}}, reported(other, {{"till", "8"}}), reported(other, {{"till", "7"}}));
  EXPECT_EQ(told.status, ReportStatus::superseded);
  EXPECT_FALSE(told.maySend());
}

/// No transition leaves guaranteed, so a record with another outcome was never guaranteed.
TEST(GuaranteedReport, IsNotAppliedWhenTheRecordHasAnotherOutcome) {
  for (const ReportCase* other : {&canceled, &failed}) {
    const ReportReading told = read(guaranteed, {}, reported(*other));
    EXPECT_EQ(told.status, ReportStatus::notApplied);
    EXPECT_FALSE(told.maySend()) << "another client may have reported the outcome since";
    EXPECT_EQ(told.reason, NoResendReason::otherReport);
    EXPECT_FALSE(read(guaranteed, {}, reported(*other), unreported()).maySend());
    EXPECT_TRUE(read(guaranteed, {}, reported(*other), reported(*other)).maySend());
  }
}

template <class T>
std::string asText(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(ReportStatus, IsPrintedInWords) {
  EXPECT_EQ(asText(ReportStatus::applied), "applied");
  EXPECT_EQ(asText(ReportStatus::notApplied), "not applied");
  EXPECT_EQ(asText(ReportStatus::superseded), "superseded");
  EXPECT_EQ(asText(ReportStatus::indeterminate), "indeterminate");
}

TEST(NoResendReason, IsPrintedInWords) {
  EXPECT_EQ(asText(NoResendReason::applied), "applied");
  EXPECT_EQ(asText(NoResendReason::refused), "refused by the state");
  EXPECT_EQ(asText(NoResendReason::otherReport), "another report");
  EXPECT_EQ(asText(NoResendReason::otherAttempt), "another attempt");
  EXPECT_EQ(asText(NoResendReason::sentToOtherAttempt), "sent to another attempt");
  EXPECT_EQ(asText(NoResendReason::indeterminate), "indeterminate");
  EXPECT_EQ(asText(NoResendReason::failed), "failed");
  EXPECT_EQ(asText(NoResendReason::checkOnly), "check only");
}

TEST(ReportCheck, IsPrintedOnOneLineWithoutTheObject) {
  ReportCheck<PaymentRecord> told{
      .status = ReportStatus::superseded, .isFinal = true, .noResendReason = NoResendReason::refused};
  EXPECT_EQ(asText(told), "superseded, final, resends: 0, no-resend reason: refused by the state");
  told = {.status = ReportStatus::notApplied, .resends = 2, .noResendReason = NoResendReason::failed};
  told.error = Error{{.kind = ErrorKind::lockTimeout, .message = "In use.", .attemptCount = 2}};
  EXPECT_EQ(asText(told), "not applied, resends: 2, no-resend reason: failed; " + told.error->toString());
}

}  // namespace
}  // namespace tally
