// resolveReport(), request by request.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "support.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::Harness;

const PaymentRecordReportFailedParams params{.failedAt = std::chrono::sys_seconds{1'730'000'000s}};

/// A record, failed or not yet reported, of that attempt.
std::string failedJson(std::string_view attempt = "par_1") {
  std::string json = test::recordJson("pr_1");
  json.replace(json.find("par_1"), 5, attempt);
  return json;
}
std::string unreportedJson(std::string_view attempt = "par_1") {
  std::string json = failedJson(attempt);
  const std::string_view amount = R"("amount_failed":{"currency":"usd","value":1000})";
  json.replace(json.find(amount), amount.size(), R"("amount_failed":{"currency":"usd","value":0})");
  return json;
}

class ResolveReport : public testing::Test {
 protected:
  Harness h{};

  Result<ReportCheck<PaymentRecord>> resolveReport(const RequestOptions& options = {}) {
    return h.client.paymentRecords().resolveReport("pr_1", params, {}, options);
  }

  void expectIndeterminate(const Result<ReportCheck<PaymentRecord>>& told, StopReason reason, int resends) {
    ASSERT_TRUE(told);
    EXPECT_EQ(told.value().status, ReportStatus::indeterminate);
    EXPECT_EQ(told.value().stopReason, reason);
    EXPECT_EQ(told.value().resends, resends);
    EXPECT_FALSE(told.value().isFinal);
  }

  /// The requests that were sent, `r` for a report and `g` for a reading.
  std::string sent() const {
    std::string all;
    for (const HttpRequest& request : h.transport->requests)
      all += request.method == Method::post ? 'r' : 'g';
    return all;
  }
};

TEST_F(ResolveReport, ReadsAndSendsNothingWhereTheReportWasApplied) {
  h.answer(test::ok(failedJson()));
  const auto told = resolveReport().value();
  EXPECT_EQ(told.status, ReportStatus::applied);
  EXPECT_EQ(told.object.id, "pr_1");
  EXPECT_EQ(sent(), "g");
}

TEST_F(ResolveReport, SendsTheSameReportWhereItWasNotApplied) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::ok(failedJson()));
  const auto told = resolveReport().value();
  EXPECT_EQ(told.status, ReportStatus::applied);
  EXPECT_EQ(told.resends, 1);
  EXPECT_EQ(told.object.amountFailed.value, 1000);
  EXPECT_EQ(sent(), "gr");
  EXPECT_EQ(h.transport->requests[1].url,
            "https://service.test/v1/payment_records/pr_1/report_payment_attempt_failed");
  EXPECT_EQ(h.transport->requests[1].body, "failed_at=1730000000");
}

TEST_F(ResolveReport, ReadsAgainWhereTheSecondAnswerIsLostToo) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  h.answer(test::ok(failedJson()));
  const auto told = resolveReport().value();
  EXPECT_EQ(told.status, ReportStatus::applied);
  EXPECT_EQ(told.resends, 1);
  EXPECT_FALSE(told.error);
  EXPECT_EQ(sent(), "grg");
}

TEST_F(ResolveReport, SendsAsOftenAsTheCallMayBeSentAndReadsBeforeEach) {
  for (int i = 0; i < 3; ++i) {
    h.answer(test::ok(unreportedJson()));
    h.answer(test::lostAnswer());
  }
  h.answer(test::ok(unreportedJson()));
  const auto told = resolveReport({.maxNetworkRetries = 2}).value();
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.resends, 3);
  ASSERT_TRUE(told.error);
  EXPECT_EQ(told.error->kind(), ErrorKind::connection);
  EXPECT_EQ(told.error->effect(), Effect::unknown) << "each of them may yet arrive";
  EXPECT_EQ(told.error->attempts(), 3);
  EXPECT_EQ(told.error->trail().size(), 3U);
  EXPECT_EQ(told.stopReason, StopReason::failed);
  EXPECT_EQ(sent(), "grgrgrg");
}

TEST_F(ResolveReport, WaitsLongerBeforeEachSending) {
  for (int i = 0; i < 3; ++i) {
    h.answer(test::ok(unreportedJson()));
    h.answer(i < 2 ? test::Answer{test::lockTimeout()} : test::ok(failedJson()));
  }
  EXPECT_EQ(resolveReport({.maxNetworkRetries = 2}).value().status, ReportStatus::applied);
  ASSERT_EQ(h.clock->sleeps.size(), 2U);
  EXPECT_GE(h.clock->sleeps[0], 250ms);
  EXPECT_LE(h.clock->sleeps[0], 500ms);
  EXPECT_GE(h.clock->sleeps[1], 500ms);
  EXPECT_LE(h.clock->sleeps[1], 1000ms);
}

TEST_F(ResolveReport, DoesNotRepeatWhatTheServiceRefuses) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::refused(403, "not_permitted"));
  h.answer(test::ok(unreportedJson()));
  const auto told = resolveReport({.maxNetworkRetries = 5}).value();
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.resends, 1);
  EXPECT_EQ(told.error->kind(), ErrorKind::permission);
  EXPECT_EQ(told.error->effect(), Effect::none);
  EXPECT_EQ(told.stopReason, StopReason::failed);
  EXPECT_EQ(sent(), "grg");
}

TEST_F(ResolveReport, TellsOfWhatWasLostBeforeARefusalToo) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  h.answer(test::ok(unreportedJson()));
  h.answer(test::refused(403, "not_permitted"));
  h.answer(test::ok(unreportedJson()));
  const auto told = resolveReport({.maxNetworkRetries = 5}).value();
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.error->kind(), ErrorKind::permission);
  EXPECT_EQ(told.error->effect(), Effect::unknown) << "the one that was lost may yet arrive";
  ASSERT_EQ(told.error->trail().size(), 2U);
  EXPECT_EQ(told.error->trail()[0].problem, "connection reset");
  EXPECT_EQ(told.error->trail()[1].status, 403);
}

TEST_F(ResolveReport, DoesNotSendWhereANewAttemptBeginsMeanwhile) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  h.answer(test::ok(unreportedJson("par_2")));
  const auto told = resolveReport({.maxNetworkRetries = 5}).value();
  expectIndeterminate(told, StopReason::otherAttempt, 1);
  ASSERT_TRUE(told.error);
  EXPECT_EQ(told.error->effect(), Effect::unknown) << "it may have been about the new attempt";
}

/// The new attempt begins between the reading and the sending, which no request can rule out.
TEST_F(ResolveReport, SaysSoWhereItsReportWasAboutAnotherAttempt) {
  PaymentRecord before;
  before.id = "pr_1";
  before.latestPaymentAttemptRecord = "par_1";
  const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>> checks[] = {
      {}, {.before = before}, {.attempt = "par_1"}};
  for (const auto& check : checks) {
    h.transport->requests.clear();
    h.answer(test::ok(unreportedJson()));
    h.answer(test::ok(failedJson("par_2")));
    const auto told = h.client.paymentRecords().resolveReport("pr_1", params, check);
    expectIndeterminate(told, StopReason::sentToOtherAttempt, 1);
    EXPECT_EQ(told.value().object.latestPaymentAttemptRecord, "par_2");
    EXPECT_EQ(sent(), "gr");
    if (!check.before && !check.attempt) continue;
    h.answer(test::ok(failedJson("par_2")));
    expectIndeterminate(h.client.paymentRecords().checkReport("pr_1", params, check),
                        StopReason::otherAttempt, 0);
  }
}

TEST_F(ResolveReport, SendsNothingToAnotherAttemptThanTheNamedOne) {
  for (const auto& json : {unreportedJson("par_2"), failedJson("par_2")}) {
    h.transport->requests.clear();
    h.answer(test::ok(json));
    expectIndeterminate(h.client.paymentRecords().resolveReport("pr_1", params, {.attempt = "par_1"}),
                        StopReason::otherAttempt, 0);
    h.answer(test::ok(json));
    expectIndeterminate(h.client.paymentRecords().checkReport("pr_1", params, {.attempt = "par_1"}),
                        StopReason::otherAttempt, 0);
    EXPECT_EQ(sent(), "gg");
  }
}

TEST_F(ResolveReport, SendsToTheNamedAttempt) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::ok(failedJson()));
  const auto told = h.client.paymentRecords().resolveReport("pr_1", params, {.attempt = "par_1"}).value();
  EXPECT_EQ(told.status, ReportStatus::applied);
  EXPECT_EQ(told.stopReason, StopReason::applied);
  EXPECT_EQ(told.resends, 1);
}

TEST_F(ResolveReport, SaysWhyNothingWasSent) {
  const PaymentRecordReportGuaranteedParams guaranteedParams{.guaranteedAt = params.failedAt};
  h.answer(test::ok(failedJson()));
  const auto told = h.client.paymentRecords().resolveReport("pr_1", guaranteedParams).value();
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.resends, 0);
  EXPECT_FALSE(told.error);
  EXPECT_EQ(told.stopReason, StopReason::otherReport) << "failed may be what somebody reported since";
}

TEST_F(ResolveReport, CheckReportSaysThatItOnlyReads) {
  h.answer(test::ok(unreportedJson()));
  const auto told = h.client.paymentRecords().checkReport("pr_1", params).value();
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.stopReason, StopReason::onlyReads);
}

/// Another call on the record is under way, and nobody may wait for it.
TEST(ResolveInLine, CountsNoReportThatWasNotLetIn) {
  Harness h{{.mutationQueue = {.maxWaiting = 0}}};
  const auto records = h.client.paymentRecords();
  std::optional<Result<ReportCheck<PaymentRecord>>> told;
  bool underWay = false;
  h.transport->onSend = [&] {
    if (std::exchange(underWay, true)) return;
    const auto answers = std::exchange(h.transport->answers, {});
    h.answer(test::ok(unreportedJson()));
    told = records.resolveReport("pr_1", params);
    h.transport->answers = answers;
  };
  h.answer(test::ok(failedJson()));
  ASSERT_TRUE(records.reportFailed("pr_1", params));
  EXPECT_EQ(told->value().status, ReportStatus::notApplied);
  EXPECT_EQ(told->value().resends, 0);
  EXPECT_EQ(told->value().stopReason, StopReason::failed);
  const Error& error = *told->value().error;
  EXPECT_EQ(error.kind(), ErrorKind::queueFull);
  EXPECT_EQ(error.effect(), Effect::none) << "resolveReport() has sent nothing";
  EXPECT_EQ(error.attempts(), 0);
  EXPECT_TRUE(error.trail().empty());
  EXPECT_EQ(h.transport->requests.size(), 2U) << "a report, and a reading";
}

TEST_F(ResolveReport, SaysHowOftenItHasSentWhereItCannotRead) {
  h.transport->onSend = [&] { h.clock->advance(40ms); };
  h.answer(test::ok(unreportedJson()));
  const Error late = resolveReport({.deadline = h.clock->now() + 40ms}).error();
  EXPECT_EQ(late.kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(late.effect(), Effect::unknown);
  EXPECT_EQ(late.attempts(), 0);
  EXPECT_TRUE(late.message().starts_with("the status of the report could not be read: ")) << late.message();
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  const Error sentOnce = resolveReport({.deadline = h.clock->now() + 80ms}).error();
  EXPECT_EQ(sentOnce.effect(), Effect::unknown);
  EXPECT_TRUE(sentOnce.message().starts_with(
      "the status of the report could not be read (resends by this call: 1): "))
      << sentOnce.message();
}

TEST_F(ResolveReport, KnowsNothingWhereTheRecordCannotBeRead) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  h.answer(test::refused(500, "api_error"));
  const Error error = resolveReport().error();
  EXPECT_EQ(error.kind(), ErrorKind::server);
  EXPECT_EQ(error.effect(), Effect::unknown);
  EXPECT_EQ(error.operation(), "payment_records.report_failed");
  EXPECT_EQ(error.message(), "the status of the report could not be read (resends by this call: 1): No.");
}

TEST_F(ResolveReport, NorDoesCheckReportKnowMore) {
  h.answer(test::refused(500, "api_error"));
  const Error error = h.client.paymentRecords().checkReport("pr_1", params).error();
  EXPECT_EQ(error.effect(), Effect::unknown) << "that of the report, not that of the reading";
  EXPECT_EQ(error.operation(), "payment_records.report_failed");
}

TEST_F(ResolveReport, EndsWithWhatItKnowsWhereTheDeadlineLeavesNoTime) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  h.answer(test::ok(unreportedJson()));
  const auto told = resolveReport({.maxNetworkRetries = 5, .deadline = h.clock->now() + 100ms}).value();
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.error->kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(told.error->effect(), Effect::unknown) << "the lost one may yet arrive";
  EXPECT_EQ(told.error->attempts(), 1);
  EXPECT_EQ(sent(), "grg");
  EXPECT_TRUE(h.clock->sleeps.empty());
}

TEST_F(ResolveReport, EndsWhenItIsToldToStop) {
  std::stop_source source;
  h.clock->onSleep = [&] { source.request_stop(); };
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  const Error error = resolveReport({.maxNetworkRetries = 5, .stop = source.get_token()}).error();
  EXPECT_EQ(error.kind(), ErrorKind::canceled);
  EXPECT_EQ(error.effect(), Effect::unknown);
  EXPECT_EQ(sent(), "gr");
}

TEST_F(ResolveReport, SendsEverythingWithTheOptionsOfTheCall) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::ok(failedJson()));
  ASSERT_TRUE(resolveReport({.connectedAccount = "acct_1"}));
  for (const HttpRequest& request : h.transport->requests)
    EXPECT_EQ(*test::find(request.headers, "Service-Account"), "acct_1");
}

TEST_F(ResolveReport, AndCheckReportRefuseWhatCouldNeverHaveBeenSent) {
  const auto records = h.client.paymentRecords();
  for (const auto& result : {records.resolveReport("pr_1", PaymentRecordReportFailedParams{}),
                             records.checkReport("pr_1", PaymentRecordReportFailedParams{}),
                             records.checkReport("par_1", params)}) {
    EXPECT_EQ(result.error().kind(), ErrorKind::invalidParameter);
    EXPECT_EQ(result.error().effect(), Effect::none);
  }
  EXPECT_EQ(sent(), "");
}

/// The report may have been sent all the same, by a client that was made otherwise.
TEST_F(ResolveReport, AndCheckReportKnowNothingWhereTheCallItselfIsWrong) {
  const auto records = h.client.paymentRecords();
  PaymentRecord before;
  before.id = "pr_1";
  before.latestPaymentAttemptRecord = "par_1";
  PaymentRecord other = before;
  other.id = "pr_2";
  const std::pair<Result<ReportCheck<PaymentRecord>>, std::string_view> results[] = {
      {records.resolveReport("pr_1", params, {.attempt = ""}), "attempt"},
      {records.checkReport("pr_1", params, {.attempt = "pr_1"}), "attempt"},
      {records.resolveReport("pr_1", params, {.before = other}), "before"},
      {records.resolveReport("pr_1", params, {.before = before, .attempt = "par_2"}), "before"},
      {records.resolveReport("pr_1", params, {}, {.key = ""}), "key"},
      {records.checkReport("pr_1", params, {}, {.maxNetworkRetries = -1}), "maxNetworkRetries"},
  };
  for (const auto& [result, param] : results) {
    EXPECT_EQ(result.error().kind(), ErrorKind::invalidParameter);
    EXPECT_EQ(result.error().param(), param);
    EXPECT_EQ(result.error().effect(), Effect::unknown);
    EXPECT_EQ(result.error().operation(), "payment_records.report_failed");
  }
  EXPECT_EQ(sent(), "");
}

}  // namespace
}  // namespace tally
