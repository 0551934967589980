// resolveReport(), request by request.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::Harness;

const PaymentRecordReportFailedParams params{.failedAt = std::chrono::sys_seconds{1'730'000'000s}};

/// A record whose latest attempt is `attempt`, failed or without reports.
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

  void expectIndeterminate(const Result<ReportCheck<PaymentRecord>>& told, NoResendReason reason,
                           int resends) {
    ASSERT_TRUE(told.has_value());
    EXPECT_EQ(told.value().status, ReportStatus::indeterminate);
    EXPECT_EQ(told.value().noResendReason, reason);
    EXPECT_EQ(told.value().resends, resends);
    EXPECT_FALSE(told.value().isFinal);
  }

  /// The requests sent: `r` for a report, `g` for a read.
  std::string sent() const {
    std::string letters;
    for (const HttpRequest& request : h.transport->requests)
      letters += request.method == Method::post ? 'r' : 'g';
    return letters;
  }
};

TEST_F(ResolveReport, SendsNothingWhenTheReportWasApplied) {
  h.respond(test::ok(failedJson()));
  const auto told = resolveReport().value();
  EXPECT_EQ(told.status, ReportStatus::applied);
  EXPECT_EQ(told.object.id, "pr_1");
  EXPECT_EQ(sent(), "g");
}

TEST_F(ResolveReport, SendsTheReportAgainWhenItWasNotApplied) {
  h.respond(test::ok(unreportedJson()));
  h.respond(test::ok(failedJson()));
  const auto told = resolveReport().value();
  EXPECT_EQ(told.status, ReportStatus::applied);
  EXPECT_EQ(told.resends, 1);
  EXPECT_EQ(told.object.amountFailed.value, 1000);
  EXPECT_EQ(sent(), "gr");
  EXPECT_EQ(h.transport->requests[1].url,
            "https://service.test/v1/payment_records/pr_1/report_payment_attempt_failed");
  EXPECT_EQ(h.transport->requests[1].body, "failed_at=1730000000");
}

TEST_F(ResolveReport, ReadsAgainWhenTheResponseToTheResendIsLost) {
  h.respond(test::ok(unreportedJson()));
  h.respond(test::lostResponse());
  h.respond(test::ok(failedJson()));
  const auto told = resolveReport().value();
  EXPECT_EQ(told.status, ReportStatus::applied);
  EXPECT_EQ(told.resends, 1);
  EXPECT_FALSE(told.error);
  EXPECT_EQ(sent(), "grg");
}

TEST_F(ResolveReport, ReadsBeforeEachAllowedResend) {
  for (int i = 0; i < 3; ++i) {
    h.respond(test::ok(unreportedJson()));
    h.respond(test::lostResponse());
  }
  h.respond(test::ok(unreportedJson()));
  const auto told = resolveReport({.maxNetworkRetries = 2}).value();
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.resends, 3);
  ASSERT_TRUE(told.error);
  EXPECT_EQ(told.error->kind(), ErrorKind::connection);
  EXPECT_EQ(told.error->effect(), Effect::unknown) << "each may still arrive";
  EXPECT_EQ(told.error->attemptCount(), 3);
  EXPECT_EQ(told.error->attempts().size(), 3U);
  EXPECT_EQ(told.noResendReason, NoResendReason::failed);
  EXPECT_EQ(sent(), "grgrgrg");
}

TEST_F(ResolveReport, BacksOffBeforeEachFurtherResend) {
  for (int i = 0; i < 3; ++i) {
    h.respond(test::ok(unreportedJson()));
    h.respond(i < 2 ? TransportResult{test::lockTimeout()} : test::ok(failedJson()));
  }
  EXPECT_EQ(resolveReport({.maxNetworkRetries = 2}).value().status, ReportStatus::applied);
  ASSERT_EQ(h.clock->sleeps.size(), 2U);
  EXPECT_GE(h.clock->sleeps[0], 250ms);
  EXPECT_LE(h.clock->sleeps[0], 500ms);
  EXPECT_GE(h.clock->sleeps[1], 500ms);
  EXPECT_LE(h.clock->sleeps[1], 1000ms);
}

TEST_F(ResolveReport, DoesNotResendARefusedReport) {
  h.respond(test::ok(unreportedJson()));
  h.respond(test::refused(403, "not_permitted"));
  h.respond(test::ok(unreportedJson()));
  const auto told = resolveReport({.maxNetworkRetries = 5}).value();
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.resends, 1);
  EXPECT_EQ(told.error->kind(), ErrorKind::permission);
  EXPECT_EQ(told.error->effect(), Effect::none);
  EXPECT_EQ(told.noResendReason, NoResendReason::failed);
  EXPECT_EQ(sent(), "grg");
}

TEST_F(ResolveReport, KeepsAnUnknownEffectDespiteALaterRefusal) {
  h.respond(test::ok(unreportedJson()));
  h.respond(test::lostResponse());
  h.respond(test::ok(unreportedJson()));
  h.respond(test::refused(403, "not_permitted"));
  h.respond(test::ok(unreportedJson()));
  const auto told = resolveReport({.maxNetworkRetries = 5}).value();
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.error->kind(), ErrorKind::permission);
  EXPECT_EQ(told.error->effect(), Effect::unknown) << "the lost one may still arrive";
  ASSERT_EQ(told.error->attempts().size(), 2U);
  EXPECT_EQ(told.error->attempts()[0].failure, "connection reset");
  EXPECT_EQ(told.error->attempts()[1].status, 403);
}

TEST_F(ResolveReport, StopsResendingWhenANewAttemptBegins) {
  h.respond(test::ok(unreportedJson()));
  h.respond(test::lostResponse());
  h.respond(test::ok(unreportedJson("par_2")));
  const auto told = resolveReport({.maxNetworkRetries = 5}).value();
  expectIndeterminate(told, NoResendReason::otherAttempt, 1);
  ASSERT_TRUE(told.error);
  EXPECT_EQ(told.error->effect(), Effect::unknown) << "it may have been about the new attempt";
}

/// The new attempt begins between the read and the report. No request can prevent that.
TEST_F(ResolveReport, ReportsThatTheResendReachedAnotherAttempt) {
  PaymentRecord before;
  before.id = "pr_1";
  before.latestPaymentAttemptRecord = "par_1";
  const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>> checks[] = {
      {}, {.before = before}, {.attempt = "par_1"}};
  for (const auto& check : checks) {
    h.transport->requests.clear();
    h.respond(test::ok(unreportedJson()));
    h.respond(test::ok(failedJson("par_2")));
    const auto told = h.client.paymentRecords().resolveReport("pr_1", params, check);
    expectIndeterminate(told, NoResendReason::sentToOtherAttempt, 1);
    EXPECT_EQ(told.value().object.latestPaymentAttemptRecord, "par_2");
    EXPECT_EQ(sent(), "gr");
    if (!check.before && !check.attempt) continue;
    h.respond(test::ok(failedJson("par_2")));
    expectIndeterminate(h.client.paymentRecords().checkReport("pr_1", params, check),
                        NoResendReason::otherAttempt, 0);
  }
}

TEST_F(ResolveReport, SendsNothingToAnAttemptOtherThanTheNamedOne) {
  for (const auto& json : {unreportedJson("par_2"), failedJson("par_2")}) {
    h.transport->requests.clear();
    h.respond(test::ok(json));
    expectIndeterminate(h.client.paymentRecords().resolveReport("pr_1", params, {.attempt = "par_1"}),
                        NoResendReason::otherAttempt, 0);
    h.respond(test::ok(json));
    expectIndeterminate(h.client.paymentRecords().checkReport("pr_1", params, {.attempt = "par_1"}),
                        NoResendReason::otherAttempt, 0);
    EXPECT_EQ(sent(), "gg");
  }
}

TEST_F(ResolveReport, SendsTheReportToTheNamedAttempt) {
  h.respond(test::ok(unreportedJson()));
  h.respond(test::ok(failedJson()));
  const auto told = h.client.paymentRecords().resolveReport("pr_1", params, {.attempt = "par_1"}).value();
  EXPECT_EQ(told.status, ReportStatus::applied);
  EXPECT_EQ(told.noResendReason, NoResendReason::applied);
  EXPECT_EQ(told.resends, 1);
}

TEST_F(ResolveReport, ReturnsTheReasonForNotSending) {
  const PaymentRecordReportGuaranteedParams guaranteedParams{.guaranteedAt = params.failedAt};
  h.respond(test::ok(failedJson()));
  const auto told = h.client.paymentRecords().resolveReport("pr_1", guaranteedParams).value();
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.resends, 0);
  EXPECT_FALSE(told.error);
  EXPECT_EQ(told.noResendReason, NoResendReason::otherReport)
      << "another client may have reported failed since";
}

TEST_F(ResolveReport, ReturnsTheReasonCheckOnlyForCheckReport) {
  h.respond(test::ok(unreportedJson()));
  const auto told = h.client.paymentRecords().checkReport("pr_1", params).value();
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.noResendReason, NoResendReason::checkOnly);
}

/// Another call on the record is in flight, and the queue allows no waiting.
TEST(ResolveInQueue, DoesNotCountAReportThatIsNotAdmitted) {
  Harness h{{.mutationQueue = {.maxWaiting = 0}}};
  const auto records = h.client.paymentRecords();
  std::optional<Result<ReportCheck<PaymentRecord>>> told;
  bool inFlight = false;
  h.transport->onSend = [&] {
    if (std::exchange(inFlight, true)) return;
    const auto responses = std::exchange(h.transport->responses, {});
    h.respond(test::ok(unreportedJson()));
    told = records.resolveReport("pr_1", params);
    h.transport->responses = responses;
  };
  h.respond(test::ok(failedJson()));
  ASSERT_TRUE(records.reportFailed("pr_1", params));
  EXPECT_EQ(told->value().status, ReportStatus::notApplied);
  EXPECT_EQ(told->value().resends, 0);
  EXPECT_EQ(told->value().noResendReason, NoResendReason::failed);
  const Error& error = *told->value().error;
  EXPECT_EQ(error.kind(), ErrorKind::queueFull);
  EXPECT_EQ(error.effect(), Effect::none) << "resolveReport() sent nothing";
  EXPECT_EQ(error.attemptCount(), 0);
  EXPECT_TRUE(error.attempts().empty());
  EXPECT_EQ(h.transport->requests.size(), 2U) << "a report and a read";
}

TEST_F(ResolveReport, CountsItsResendsEvenIfItCannotReadTheRecord) {
  h.transport->onSend = [&] { h.clock->advance(40ms); };
  h.respond(test::ok(unreportedJson()));
  const Error late = resolveReport({.deadline = h.clock->now() + 40ms}).error();
  EXPECT_EQ(late.kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(late.effect(), Effect::unknown);
  EXPECT_EQ(late.attemptCount(), 0);
  EXPECT_TRUE(late.message().starts_with("the status of the report could not be read: ")) << late.message();
  h.respond(test::ok(unreportedJson()));
  h.respond(test::lostResponse());
  const Error sentOnce = resolveReport({.deadline = h.clock->now() + 80ms}).error();
  EXPECT_EQ(sentOnce.effect(), Effect::unknown);
  EXPECT_TRUE(sentOnce.message().starts_with(
      "the status of the report could not be read (resends by this call: 1): "))
      << sentOnce.message();
}

TEST_F(ResolveReport, LeavesTheEffectUnknownWhenTheRecordCannotBeRead) {
  h.respond(test::ok(unreportedJson()));
  h.respond(test::lostResponse());
  h.respond(test::refused(500, "api_error"));
  const Error error = resolveReport().error();
  EXPECT_EQ(error.kind(), ErrorKind::server);
  EXPECT_EQ(error.effect(), Effect::unknown);
  EXPECT_EQ(error.operation(), "payment_records.report_failed");
  EXPECT_EQ(error.message(), "the status of the report could not be read (resends by this call: 1): No.");
}

TEST_F(ResolveReport, LeavesTheEffectUnknownWhenCheckReportCannotReadTheRecord) {
  h.respond(test::refused(500, "api_error"));
  const Error error = h.client.paymentRecords().checkReport("pr_1", params).error();
  EXPECT_EQ(error.effect(), Effect::unknown) << "the report's, not the read's";
  EXPECT_EQ(error.message(), "the status of the report could not be read: No.");
  EXPECT_EQ(error.operation(), "payment_records.report_failed");
}

TEST_F(ResolveReport, ReturnsTheLastKnownStatusAtTheDeadline) {
  h.respond(test::ok(unreportedJson()));
  h.respond(test::lostResponse());
  h.respond(test::ok(unreportedJson()));
  const auto told = resolveReport({.maxNetworkRetries = 5, .deadline = h.clock->now() + 100ms}).value();
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.error->kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(told.error->effect(), Effect::unknown) << "the lost one may still arrive";
  EXPECT_EQ(told.error->attemptCount(), 1);
  EXPECT_EQ(sent(), "grg");
  EXPECT_TRUE(h.clock->sleeps.empty());
}

TEST_F(ResolveReport, EndsWhenStopped) {
  std::stop_source source;
  h.clock->onSleep = [&] { source.request_stop(); };
  h.respond(test::ok(unreportedJson()));
  h.respond(test::lostResponse());
  const Error error = resolveReport({.maxNetworkRetries = 5, .stop = source.get_token()}).error();
  EXPECT_EQ(error.kind(), ErrorKind::canceled);
  EXPECT_EQ(error.effect(), Effect::unknown);
  EXPECT_EQ(sent(), "gr");
}

/// Its waits end early, although nobody requests a stop.
class InterruptedClock final : public Clock {
 public:
  [[nodiscard]] Instant now() const override { return Instant{}; }
  bool sleepUntil(Instant, StopToken) override { return false; }
  bool waitUntil(Instant, StopToken) override { return false; }
};

TEST_F(ResolveReport, SendsNothingAgainIfTheWaitIsInterrupted) {
  h.respond(test::ok(unreportedJson()));
  h.respond(test::lostResponse());
  h.respond(test::ok(unreportedJson()));
  Client client{{.apiKey = "sk_test_1",
                 .baseUrl = "https://service.test",
                 .transport = h.transport,
                 .clock = std::make_shared<InterruptedClock>()}};
  const auto told =
      client.paymentRecords().resolveReport("pr_1", params, {}, {.maxNetworkRetries = 5}).value();
  EXPECT_EQ(told.status, ReportStatus::notApplied);
  EXPECT_EQ(told.noResendReason, NoResendReason::failed);
  EXPECT_EQ(told.error->kind(), ErrorKind::canceled);
  EXPECT_EQ(sent(), "grg");
}

TEST_F(ResolveReport, SendsEveryRequestWithTheOptionsOfTheCall) {
  h.respond(test::ok(unreportedJson()));
  h.respond(test::ok(failedJson()));
  ASSERT_TRUE(resolveReport({.connectedAccount = "acct_1"}).has_value());
  for (const HttpRequest& request : h.transport->requests)
    EXPECT_EQ(*test::find(request.headers, "Service-Account"), "acct_1");
}

TEST_F(ResolveReport, RefusesInvalidReports) {
  const auto records = h.client.paymentRecords();
  for (const auto& result : {records.resolveReport("pr_1", PaymentRecordReportFailedParams{}),
                             records.checkReport("pr_1", PaymentRecordReportFailedParams{}),
                             records.checkReport("par_1", params)}) {
    EXPECT_EQ(result.error().kind(), ErrorKind::invalidParameter);
    EXPECT_EQ(result.error().effect(), Effect::none);
  }
  EXPECT_EQ(sent(), "");
}

/// Another client with valid options may have sent the report.
TEST_F(ResolveReport, LeavesTheEffectUnknownWhenTheCallIsInvalid) {
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
      {records.resolveReport("pr_1", params, {}, {.apiKey = ""}), "apiKey"},
      {records.checkReport("pr_1", params, {}, {.maxNetworkRetries = -1}), "maxNetworkRetries"},
      {records.resolveReport("pr_1", params, {}, {.extraParams = {{"a b", "1"}}}), "extraParams"},
      {records.checkReport("pr_1", params, {}, {.extraParams = {{"metadata[a]", "1"}}}), "extraParams"},
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
