// Reports whose responses are lost between the client and the fake, and how resolveReport() resolves them.

#include "sdk/support/lost_reports.h"

#include <chrono>
#include <optional>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using fake::Fault;

struct Way {
  const char* name;
  fake::FaultRule rule;
  bool processed;  // the report takes effect, unless the record's state refuses it
};

const Way ways[] = {
    {"ResponseLost", {.fault = Fault::responseLost}, true},
    {"Reset", {.fault = Fault::reset}, false},
    {"Late", {.latency = 31s}, true},
    {"ServerError", {.error = "api_error"}, false},
    {"Truncated", {.fault = Fault::truncatedBody}, true},
};

struct Edit {
  const char* name;
  MetadataEdit metadata;
};

const Edit edits[] = {
    {"Nothing", {}},
    {"Sets", {{"order", "43"}}},
    {"Unsets", MetadataEdit{}.unset("order")},
    {"UnsetsAll", MetadataEdit::unsetAll()},
};

class LostReports : public testing::Test {
 protected:
  fake::Service service{};
  std::string key = service.addAccount().sandboxKey;
  std::shared_ptr<LateTransport> transport = std::make_shared<LateTransport>(service);
  PaymentRecords records = recordsOver(transport, service, key);
  PaymentRecords others = Client{service.clientOptions(key)}.paymentRecords();
  std::chrono::sys_seconds time{1'767'225'600s};

  /// A record in that state, with metadata.
  PaymentRecord insert(Outcome outcome) {
    const auto id =
        service.insert<PaymentRecord>(key, [](PaymentRecord& record) { record.metadata = {{"order", "42"}}; })
            .id;
    if (outcome != Outcome::unreported)
      (void)AnyReport{.outcome = outcome, .at = time}.send(others, id).value();
    return others.retrieve(id).value();
  }

  std::string stateOf(const PaymentRecord& record) {
    return service.objects().stateOf(key, record.id.str()).value_or("none");
  }
};

class EachLostReport : public LostReports,
                       public testing::WithParamInterface<std::tuple<Outcome, Outcome, Way, Edit>> {
 protected:
  AnyReport report{std::get<1>(GetParam()), std::get<Edit>(GetParam()).metadata, time};
  PaymentRecord before = insert(std::get<0>(GetParam()));
  bool refused = std::get<0>(GetParam()) == Outcome::guaranteed;
  bool processed = std::get<Way>(GetParam()).processed && !refused;
  // Whether the record looked the same before the report as after it.
  bool wasSo = std::get<0>(GetParam()) == report.outcome && report.isVisibleIn(before.metadata);

  /// Sends the report and loses it. False if it was refused instead.
  bool lose() {
    service.faults().inject(std::get<Way>(GetParam()).rule);
    const auto sent = report.send(records, before.id);
    EXPECT_FALSE(sent);
    EXPECT_THAT(service.faults().pending(), ::testing::IsEmpty());
    return sent.error().effect() == Effect::unknown;
  }

  void expectApplied(const ReportCheck<PaymentRecord>& told, int resends) {
    EXPECT_EQ(told.status, ReportStatus::applied);
    EXPECT_EQ(told.resends, resends);
    EXPECT_EQ(stateOf(before), nameOf(report.outcome));
    EXPECT_TRUE(report.isVisibleIn(told.object.metadata));
    EXPECT_EQ(told.isFinal, report.outcome == Outcome::guaranteed);
    EXPECT_FALSE(told.error);
  }

  void expectNothingSent(const ReportCheck<PaymentRecord>& told, ReportStatus status) {
    EXPECT_EQ(told.status, status);
    EXPECT_EQ(told.resends, 0);
    EXPECT_EQ(told.object, before);
    EXPECT_EQ(stateOf(before), nameOf(std::get<0>(GetParam())));
    EXPECT_EQ(told.isFinal, refused);
  }
};

std::string nameOfCase(const testing::TestParamInfo<EachLostReport::ParamType>& one) {
  const auto& [state, outcome, way, edit] = one.param;
  return nameOf(outcome) + "_on_" + nameOf(state) + '_' + way.name + '_' + edit.name;
}

INSTANTIATE_TEST_SUITE_P(, EachLostReport,
                         testing::Combine(testing::Values(Outcome::unreported, Outcome::canceled,
                                                          Outcome::failed, Outcome::guaranteed),
                                          testing::Values(Outcome::canceled, Outcome::failed,
                                                          Outcome::guaranteed),
                                          testing::ValuesIn(ways), testing::ValuesIn(edits)),
                         nameOfCase);

TEST_P(EachLostReport, IsResolvedFromTheRecord) {
  if (!lose()) return;
  const auto told = report.resolveReport(records, before.id).value();
  if (processed || wasSo) {
    expectApplied(told, 0);
  } else if (std::get<0>(GetParam()) == Outcome::unreported) {
    expectApplied(told, 1);
  } else {
    const bool neverGuaranteed = report.outcome == Outcome::guaranteed && !refused;
    expectNothingSent(told, neverGuaranteed ? ReportStatus::notApplied : ReportStatus::superseded);
  }
}

TEST_P(EachLostReport, IsResolvedWithThePreviousRecord) {
  if (!lose()) return;
  const auto told = report.resolveReport(records, before.id, {.before = before}).value();
  if (refused && !wasSo) {
    expectNothingSent(told, ReportStatus::notApplied);
  } else {
    expectApplied(told, processed || wasSo ? 0 : 1);
  }
}

TEST_P(EachLostReport, IsCheckedWithoutSendingAnything) {
  if (!lose()) return;
  const std::size_t sent = service.requests().size();
  const auto told = report.checkReport(records, before.id, {.before = before}).value();
  EXPECT_EQ(told.status, processed || wasSo ? ReportStatus::applied : ReportStatus::notApplied);
  EXPECT_EQ(service.requests().size(), sent + 1);
  EXPECT_EQ(service.requests().list().back().operation, "payment_records.retrieve");
}

TEST_F(LostReports, AreSupersededByAReportOfAnotherClient) {
  const PaymentRecord before = insert(Outcome::unreported);
  const AnyReport report{.outcome = Outcome::failed, .at = time};
  service.faults().inject({.fault = Fault::responseLost});
  ASSERT_FALSE(report.send(records, before.id));
  ASSERT_TRUE((AnyReport{.outcome = Outcome::canceled, .at = time}.send(others, before.id)));
  for (const auto& told : {report.resolveReport(records, before.id),
                           report.resolveReport(records, before.id, {.before = before})}) {
    EXPECT_EQ(told.value().status, ReportStatus::superseded);
    EXPECT_EQ(told.value().resends, 0);
  }
  EXPECT_EQ(stateOf(before), "canceled");
}

TEST_F(LostReports, DoNotOverwriteAConcurrentReportFromAnotherClient) {
  const PaymentRecord before = insert(Outcome::unreported);
  const AnyReport report{.outcome = Outcome::failed, .at = time};
  transport->holdBack = 2;
  ASSERT_FALSE(report.send(records, before.id));
  transport->beforeSend = [&] {
    if (transport->holdBack != 0) return;
    ASSERT_TRUE((AnyReport{.outcome = Outcome::canceled, .at = time}.send(others, before.id)));
    transport->beforeSend = nullptr;
  };
  const auto told = report.resolveReport(records, before.id, {}, {.maxNetworkRetries = 3}).value();
  EXPECT_EQ(told.status, ReportStatus::superseded);
  EXPECT_EQ(told.resends, 1);
  EXPECT_EQ(stateOf(before), "canceled");
}

TEST_F(LostReports, ChangeNothingWhenTheyArriveAfterTheirResend) {
  for (const Outcome outcome : {Outcome::canceled, Outcome::failed, Outcome::guaranteed}) {
    const PaymentRecord record = insert(Outcome::unreported);
    const AnyReport report{outcome, {{"order", "43"}}, time};
    transport->holdBack = 1;
    ASSERT_FALSE(report.send(records, record.id));
    const auto told = report.resolveReport(records, record.id).value();
    EXPECT_EQ(told.status, ReportStatus::applied);
    EXPECT_EQ(told.resends, 1);
    transport->arrive();
    EXPECT_EQ(others.retrieve(record.id).value(), told.object);
    EXPECT_EQ(stateOf(record), nameOf(outcome));
  }
}

/// The limitation in docs/lost-responses.md: before guaranteed, a late report overwrites a newer one.
TEST_F(LostReports, OverwriteLaterReportsWhenTheyArriveLate) {
  const PaymentRecord record = insert(Outcome::unreported);
  const AnyReport report{.outcome = Outcome::failed, .at = time};
  transport->holdBack = 1;
  ASSERT_FALSE(report.send(records, record.id));
  EXPECT_EQ(report.checkReport(records, record.id).value().status, ReportStatus::notApplied);
  ASSERT_TRUE((AnyReport{.outcome = Outcome::canceled, .at = time}.send(others, record.id)));
  transport->arrive();
  EXPECT_EQ(report.checkReport(records, record.id).value().status, ReportStatus::applied);
  EXPECT_EQ(stateOf(record), "failed");
}

TEST_F(LostReports, AreRefusedIfTheyArriveAfterAGuarantee) {
  const PaymentRecord record = insert(Outcome::unreported);
  const AnyReport report{.outcome = Outcome::failed, .at = time};
  transport->holdBack = 1;
  ASSERT_FALSE(report.send(records, record.id));
  ASSERT_TRUE((AnyReport{.outcome = Outcome::guaranteed, .at = time}.send(others, record.id)));
  const auto told = report.resolveReport(records, record.id).value();
  EXPECT_EQ(told.status, ReportStatus::superseded);
  EXPECT_TRUE(told.isFinal);
  transport->arrive();
  EXPECT_EQ(others.retrieve(record.id).value(), told.object);
}

/// The first request arrives between the read and the second request, which is therefore refused. That is not
/// an error.
TEST_F(LostReports, AreAppliedWhenTheyArriveJustBeforeTheirResend) {
  const PaymentRecord record = insert(Outcome::unreported);
  const AnyReport report{.outcome = Outcome::guaranteed, .at = time};
  transport->holdBack = 1;
  ASSERT_FALSE(report.send(records, record.id));
  int requests = 0;
  transport->beforeSend = [&] {
    if (++requests == 2) transport->arrive();
  };
  const auto told = report.resolveReport(records, record.id).value();
  EXPECT_EQ(told.status, ReportStatus::applied);
  EXPECT_TRUE(told.isFinal);
  EXPECT_EQ(told.resends, 1);
}

TEST_F(LostReports, AreNotResentWhenTheRecordHasANewerAttempt) {
  const PaymentRecord now = service.insert<PaymentRecord>(key);
  PaymentRecord before = now;
  before.latestPaymentAttemptRecord = "par_before";
  const AnyReport report{.outcome = Outcome::failed, .at = time};
  const AnyReport::Check checks[] = {{.before = before}, {.attempt = "par_before"}};
  for (const AnyReport::Check& check : checks) {
    for (const auto& told :
         {report.resolveReport(records, now.id, check), report.checkReport(records, now.id, check)}) {
      EXPECT_EQ(told.value().status, ReportStatus::indeterminate);
      EXPECT_EQ(told.value().noResendReason, NoResendReason::otherAttempt);
      EXPECT_EQ(told.value().resends, 0);
    }
  }
  EXPECT_EQ(stateOf(now), "unreported");
}

TEST_F(LostReports, AreIndeterminateIfTheRequestedAmountIsZero) {
  const PaymentRecord record =
      service.insert<PaymentRecord>(key, [](PaymentRecord& edited) { edited.amountRequested.value = 0; });
  for (const Fault fault : {Fault::responseLost, Fault::reset}) {
    service.faults().inject({.fault = fault});
    const AnyReport report{.outcome = Outcome::failed, .at = time};
    ASSERT_FALSE(report.send(records, record.id));
    const auto told = report.resolveReport(records, record.id, {.before = record}).value();
    EXPECT_EQ(told.status, ReportStatus::indeterminate);
    EXPECT_EQ(told.resends, 0);
  }
}

}  // namespace
}  // namespace tally::test
