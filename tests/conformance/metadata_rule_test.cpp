// Spec: "Metadata rule (all three)": each rule, on each of the three report operations.

#include "conformance/support/conformance.h"

namespace tally::conformance {
namespace {

using Report = Result<PaymentRecord> (*)(const PaymentRecords&, const Id<PaymentRecord>&,
                                         const MetadataEdit&);

struct Operation {
  const char* name;
  Report report;
};

void PrintTo(const Operation& operation, std::ostream* out) {
  *out << operation.name;
}

class MetadataRule : public Conformance, public testing::WithParamInterface<Operation> {
 protected:
  Id<PaymentRecord> id =
      insert([](PaymentRecord& record) { record.metadata = {{"order", "42"}, {"till", "7"}}; }).id;

  Metadata after(const MetadataEdit& edit) {
    const Metadata responded = GetParam().report(records, id, edit).value().metadata;
    EXPECT_EQ(records.retrieve(id).value().metadata, responded);
    return responded;
  }
};

TEST_P(MetadataRule, UnsetsAKeyThatIsSentWithAnEmptyValue) {
  EXPECT_EQ(after(MetadataEdit{}.unset("order")), (Metadata{{"till", "7"}}));
}

TEST_P(MetadataRule, UnsetsAllKeysIfTheMetadataIsEmpty) {
  EXPECT_EQ(after(MetadataEdit::unsetAll()), Metadata{});
}

TEST_P(MetadataRule, SetsTheGivenKeysAndKeepsTheOthers) {
  EXPECT_EQ(after({{"order", "43"}, {"shift", "late"}}),
            (Metadata{{"order", "43"}, {"shift", "late"}, {"till", "7"}}));
}

TEST_P(MetadataRule, AllowsSettingAndUnsettingKeysInOneRequest) {
  EXPECT_EQ(after(MetadataEdit{{"shift", "late"}}.unset("till")),
            (Metadata{{"order", "42"}, {"shift", "late"}}));
}

TEST_P(MetadataRule, AllowsUnsettingAMissingKey) {
  EXPECT_EQ(after(MetadataEdit{}.unset("nothing")), (Metadata{{"order", "42"}, {"till", "7"}}));
}

TEST_P(MetadataRule, KeepsTheMetadataIfNoneIsSent) {
  EXPECT_EQ(after({}), (Metadata{{"order", "42"}, {"till", "7"}}));
}

INSTANTIATE_TEST_SUITE_P(
    All, MetadataRule,
    testing::Values(
        Operation{"Canceled",
                  [](const PaymentRecords& records, const Id<PaymentRecord>& id, const MetadataEdit& edit) {
                    return records.reportCanceled(id, {.canceledAt = reportTime, .metadata = edit});
                  }},
        Operation{"Failed",
                  [](const PaymentRecords& records, const Id<PaymentRecord>& id, const MetadataEdit& edit) {
                    return records.reportFailed(id, {.failedAt = reportTime, .metadata = edit});
                  }},
        Operation{"Guaranteed",
                  [](const PaymentRecords& records, const Id<PaymentRecord>& id, const MetadataEdit& edit) {
                    return records.reportGuaranteed(id, {.guaranteedAt = reportTime, .metadata = edit});
                  }}),
    [](const auto& operation) { return operation.param.name; });

}  // namespace
}  // namespace tally::conformance
