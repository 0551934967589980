// report(): any report by one method.

#include <string>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

namespace tally::test {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

class SendReport : public testing::Test {
 protected:
  [[nodiscard]] std::string stateOf(const Id<PaymentRecord>& id) const {
    return service.objects().stateOf(key, id.str()).value();
  }

  std::string paramOf(const Report& report) {
    const auto sent = records.report(report);
    EXPECT_TRUE(service.requests().list().empty());
    if (sent) return "none";
    EXPECT_EQ(sent.error().kind(), ErrorKind::invalidParameter);
    EXPECT_EQ(sent.error().effect(), Effect::none);
    EXPECT_FALSE(sent.error().message().empty());
    return sent.error().param();
  }

  fake::Service service{};
  std::string key = service.addAccount().sandboxKey;
  PaymentRecords records = Client{service.clientOptions(key)}.paymentRecords();
  const sys_seconds noon{seconds{1767268800}};
};

TEST_F(SendReport, SendsReportsGivenAsParameters) {
  const auto id = service.insert<PaymentRecord>(key).id;
  const PaymentRecordReport failed =
      PaymentRecordReportFailedParams{.failedAt = noon, .metadata = {{"a", "1"}}};
  EXPECT_EQ(records.report(id, failed).value().metadata, (Metadata{{"a", "1"}}));
  EXPECT_EQ(stateOf(id), "failed");
  ASSERT_TRUE(records.report(id, PaymentRecordReportGuaranteedParams{.guaranteedAt = noon}));
  EXPECT_EQ(stateOf(id), "guaranteed");
  EXPECT_EQ(records.report(id, failed).error().code(), "payment_attempt_already_guaranteed");
}

TEST_F(SendReport, SendsAReportOfEveryOutcome) {
  for (const std::string outcome : {"canceled", "failed", "guaranteed"}) {
    const auto record = service.insert<PaymentRecord>(key);
    const Report report{.id = record.id.str(),
                        .outcome = outcome,
                        .time = noon,
                        .metadata = {{"order", "42"}},
                        .attempt = record.latestPaymentAttemptRecord.str(),
                        .reference = "7"};
    EXPECT_EQ(records.report(report).value().metadata, (Metadata{{"order", "42"}}));
    EXPECT_EQ(stateOf(record.id), outcome);
  }
}

TEST_F(SendReport, RefusesInvalidReports) {
  const Report good{.id = "pr_1", .outcome = "failed", .time = noon};
  const auto with = [&](auto change) {
    Report report = good;
    change(report);
    return paramOf(report);
  };
  EXPECT_EQ(with([](Report& r) { r.id = ""; }), "id");
  EXPECT_EQ(with([](Report& r) { r.id = "pr_"; }), "id");
  EXPECT_EQ(with([](Report& r) { r.id = "po_1"; }), "id");
  EXPECT_EQ(with([](Report& r) { r.id = "pr_\xff"; }), "id");
  EXPECT_EQ(with([](Report& r) { r.outcome = "lost"; }), "outcome");
  EXPECT_EQ(with([](Report& r) { r.outcome = "report_failed"; }), "outcome");
  EXPECT_EQ(with([](Report& r) { r.time.reset(); }), "time");
  EXPECT_EQ(with([](Report& r) { r.time = sys_seconds{seconds{-1}}; }), "failed_at");
  EXPECT_EQ(with([](Report& r) { r.metadata.set("a", ""); }), "metadata[a]");
  EXPECT_EQ(with([](Report& r) { r.metadata.set("a", "\xff"); }), "metadata");
  EXPECT_EQ(with([](Report& r) { r.attempt = "pr_1"; }), "attempt");
  EXPECT_EQ(records.report({.id = "pr_1", .outcome = "lost"}).error().message(),
            "expected canceled, failed, guaranteed, not 'lost'");
}

}  // namespace
}  // namespace tally::test
