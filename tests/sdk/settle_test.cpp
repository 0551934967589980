// settle(), request by request.

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

class Settle : public testing::Test {
 protected:
  Harness h{};

  Result<ReportFate<PaymentRecord>> settle(const RequestOptions& options = {}) {
    return h.client.paymentRecords().settle("pr_1", params, {}, options);
  }

  void expectUndecided(const Result<ReportFate<PaymentRecord>>& told, StopReason reason, int sentAgain) {
    ASSERT_TRUE(told);
    EXPECT_EQ(told.value().fate, Fate::undecided);
    EXPECT_EQ(told.value().stopReason, reason);
    EXPECT_EQ(told.value().sentAgain, sentAgain);
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

TEST_F(Settle, ReadsAndSendsNothingWhereTheReportWasApplied) {
  h.answer(test::ok(failedJson()));
  const auto told = settle().value();
  EXPECT_EQ(told.fate, Fate::applied);
  EXPECT_EQ(told.object.id, "pr_1");
  EXPECT_EQ(sent(), "g");
}

TEST_F(Settle, SendsTheSameReportWhereItWasNotApplied) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::ok(failedJson()));
  const auto told = settle().value();
  EXPECT_EQ(told.fate, Fate::applied);
  EXPECT_EQ(told.sentAgain, 1);
  EXPECT_EQ(told.object.amountFailed.value, 1000);
  EXPECT_EQ(sent(), "gr");
  EXPECT_EQ(h.transport->requests[1].url,
            "https://service.test/v1/payment_records/pr_1/report_payment_attempt_failed");
  EXPECT_EQ(h.transport->requests[1].body, "failed_at=1730000000");
}

TEST_F(Settle, ReadsAgainWhereTheSecondAnswerIsLostToo) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  h.answer(test::ok(failedJson()));
  const auto told = settle().value();
  EXPECT_EQ(told.fate, Fate::applied);
  EXPECT_EQ(told.sentAgain, 1);
  EXPECT_FALSE(told.error);
  EXPECT_EQ(sent(), "grg");
}

TEST_F(Settle, SendsAsOftenAsTheCallMayBeSentAndReadsBeforeEach) {
  for (int i = 0; i < 3; ++i) {
    h.answer(test::ok(unreportedJson()));
    h.answer(test::lostAnswer());
  }
  h.answer(test::ok(unreportedJson()));
  const auto told = settle({.maxNetworkRetries = 2}).value();
  EXPECT_EQ(told.fate, Fate::notApplied);
  EXPECT_EQ(told.sentAgain, 3);
  ASSERT_TRUE(told.error);
  EXPECT_EQ(told.error->kind(), ErrorKind::connection);
  EXPECT_EQ(told.error->effect(), Effect::unknown) << "each of them may yet arrive";
  EXPECT_EQ(told.error->attempts(), 3);
  EXPECT_EQ(told.error->trail().size(), 3U);
  EXPECT_EQ(told.stopReason, StopReason::failed);
  EXPECT_EQ(sent(), "grgrgrg");
}

TEST_F(Settle, WaitsLongerBeforeEachSending) {
  for (int i = 0; i < 3; ++i) {
    h.answer(test::ok(unreportedJson()));
    h.answer(i < 2 ? TransportResult{test::lockTimeout()} : test::ok(failedJson()));
  }
  EXPECT_EQ(settle({.maxNetworkRetries = 2}).value().fate, Fate::applied);
  ASSERT_EQ(h.clock->sleeps.size(), 2U);
  EXPECT_GE(h.clock->sleeps[0], 250ms);
  EXPECT_LE(h.clock->sleeps[0], 500ms);
  EXPECT_GE(h.clock->sleeps[1], 500ms);
  EXPECT_LE(h.clock->sleeps[1], 1000ms);
}

TEST_F(Settle, DoesNotRepeatWhatTheServiceRefuses) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::refused(403, "not_permitted"));
  h.answer(test::ok(unreportedJson()));
  const auto told = settle({.maxNetworkRetries = 5}).value();
  EXPECT_EQ(told.fate, Fate::notApplied);
  EXPECT_EQ(told.sentAgain, 1);
  EXPECT_EQ(told.error->kind(), ErrorKind::permission);
  EXPECT_EQ(told.error->effect(), Effect::none);
  EXPECT_EQ(told.stopReason, StopReason::failed);
  EXPECT_EQ(sent(), "grg");
}

TEST_F(Settle, TellsOfWhatWasLostBeforeARefusalToo) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  h.answer(test::ok(unreportedJson()));
  h.answer(test::refused(403, "not_permitted"));
  h.answer(test::ok(unreportedJson()));
  const auto told = settle({.maxNetworkRetries = 5}).value();
  EXPECT_EQ(told.fate, Fate::notApplied);
  EXPECT_EQ(told.error->kind(), ErrorKind::permission);
  EXPECT_EQ(told.error->effect(), Effect::unknown) << "the one that was lost may yet arrive";
  ASSERT_EQ(told.error->trail().size(), 2U);
  EXPECT_EQ(told.error->trail()[0].problem, "connection reset");
  EXPECT_EQ(told.error->trail()[1].status, 403);
}

TEST_F(Settle, DoesNotSendWhereANewAttemptBeginsMeanwhile) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  h.answer(test::ok(unreportedJson("par_2")));
  const auto told = settle({.maxNetworkRetries = 5}).value();
  expectUndecided(told, StopReason::otherAttempt, 1);
  ASSERT_TRUE(told.error);
  EXPECT_EQ(told.error->effect(), Effect::unknown) << "it may have been about the new attempt";
}

/// The new attempt begins between the reading and the sending, which no request can rule out.
TEST_F(Settle, SaysSoWhereItsReportWasAboutAnotherAttempt) {
  PaymentRecord before;
  before.id = "pr_1";
  before.latestPaymentAttemptRecord = "par_1";
  const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>> checks[] = {
      {}, {.before = before}, {.attempt = "par_1"}};
  for (const auto& check : checks) {
    h.transport->requests.clear();
    h.answer(test::ok(unreportedJson()));
    h.answer(test::ok(failedJson("par_2")));
    const auto told = h.client.paymentRecords().settle("pr_1", params, check);
    expectUndecided(told, StopReason::sentToOtherAttempt, 1);
    EXPECT_EQ(told.value().object.latestPaymentAttemptRecord, "par_2");
    EXPECT_EQ(sent(), "gr");
    if (!check.before && !check.attempt) continue;
    h.answer(test::ok(failedJson("par_2")));
    expectUndecided(h.client.paymentRecords().fateOf("pr_1", params, check), StopReason::otherAttempt, 0);
  }
}

TEST_F(Settle, SendsNothingToAnotherAttemptThanTheNamedOne) {
  for (const auto& json : {unreportedJson("par_2"), failedJson("par_2")}) {
    h.transport->requests.clear();
    h.answer(test::ok(json));
    expectUndecided(h.client.paymentRecords().settle("pr_1", params, {.attempt = "par_1"}),
                    StopReason::otherAttempt, 0);
    h.answer(test::ok(json));
    expectUndecided(h.client.paymentRecords().fateOf("pr_1", params, {.attempt = "par_1"}),
                    StopReason::otherAttempt, 0);
    EXPECT_EQ(sent(), "gg");
  }
}

TEST_F(Settle, SendsToTheNamedAttempt) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::ok(failedJson()));
  const auto told = h.client.paymentRecords().settle("pr_1", params, {.attempt = "par_1"}).value();
  EXPECT_EQ(told.fate, Fate::applied);
  EXPECT_EQ(told.stopReason, StopReason::applied);
  EXPECT_EQ(told.sentAgain, 1);
}

TEST_F(Settle, SaysWhyNothingWasSent) {
  const PaymentRecordReportGuaranteedParams guaranteedParams{.guaranteedAt = params.failedAt};
  h.answer(test::ok(failedJson()));
  const auto told = h.client.paymentRecords().settle("pr_1", guaranteedParams).value();
  EXPECT_EQ(told.fate, Fate::notApplied);
  EXPECT_EQ(told.sentAgain, 0);
  EXPECT_FALSE(told.error);
  EXPECT_EQ(told.stopReason, StopReason::otherReport) << "failed may be what somebody reported since";
}

TEST_F(Settle, FateOfSaysThatItOnlyReads) {
  h.answer(test::ok(unreportedJson()));
  const auto told = h.client.paymentRecords().fateOf("pr_1", params).value();
  EXPECT_EQ(told.fate, Fate::notApplied);
  EXPECT_EQ(told.stopReason, StopReason::onlyReads);
}

/// Another call on the record is under way, and nobody may wait for it.
TEST(SettleInLine, CountsNoReportThatWasNotLetIn) {
  Harness h{{.mutationQueue = {.maxWaiting = 0}}};
  const auto records = h.client.paymentRecords();
  std::optional<Result<ReportFate<PaymentRecord>>> told;
  bool underWay = false;
  h.transport->onSend = [&] {
    if (std::exchange(underWay, true)) return;
    const auto answers = std::exchange(h.transport->answers, {});
    h.answer(test::ok(unreportedJson()));
    told = records.settle("pr_1", params);
    h.transport->answers = answers;
  };
  h.answer(test::ok(failedJson()));
  ASSERT_TRUE(records.reportFailed("pr_1", params));
  EXPECT_EQ(told->value().fate, Fate::notApplied);
  EXPECT_EQ(told->value().sentAgain, 0);
  EXPECT_EQ(told->value().stopReason, StopReason::failed);
  const Error& error = *told->value().error;
  EXPECT_EQ(error.kind(), ErrorKind::queueFull);
  EXPECT_EQ(error.effect(), Effect::none) << "settle() has sent nothing";
  EXPECT_EQ(error.attempts(), 0);
  EXPECT_TRUE(error.trail().empty());
  EXPECT_EQ(h.transport->requests.size(), 2U) << "a report, and a reading";
}

TEST_F(Settle, SaysHowOftenItHasSentWhereItCannotRead) {
  h.transport->onSend = [&] { h.clock->advance(40ms); };
  h.answer(test::ok(unreportedJson()));
  const Error late = settle({.deadline = h.clock->now() + 40ms}).error();
  EXPECT_EQ(late.kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(late.effect(), Effect::unknown);
  EXPECT_EQ(late.attempts(), 0);
  EXPECT_TRUE(late.message().starts_with("what became of the report could not be read: ")) << late.message();
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  const Error sentOnce = settle({.deadline = h.clock->now() + 80ms}).error();
  EXPECT_EQ(sentOnce.effect(), Effect::unknown);
  EXPECT_TRUE(sentOnce.message().starts_with(
      "what became of the report, sent again 1 times by this call, could not be read: "))
      << sentOnce.message();
}

TEST_F(Settle, KnowsNothingWhereTheRecordCannotBeRead) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  h.answer(test::refused(500, "api_error"));
  const Error error = settle().error();
  EXPECT_EQ(error.kind(), ErrorKind::server);
  EXPECT_EQ(error.effect(), Effect::unknown);
  EXPECT_EQ(error.operation(), "payment_records.report_failed");
  EXPECT_EQ(error.message(),
            "what became of the report, sent again 1 times by this call, could not be read: No.");
}

TEST_F(Settle, NorDoesFateOfKnowMore) {
  h.answer(test::refused(500, "api_error"));
  const Error error = h.client.paymentRecords().fateOf("pr_1", params).error();
  EXPECT_EQ(error.effect(), Effect::unknown) << "that of the report, not that of the reading";
  EXPECT_EQ(error.operation(), "payment_records.report_failed");
}

TEST_F(Settle, EndsWithWhatItKnowsWhereTheDeadlineLeavesNoTime) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  h.answer(test::ok(unreportedJson()));
  const auto told = settle({.maxNetworkRetries = 5, .deadline = h.clock->now() + 100ms}).value();
  EXPECT_EQ(told.fate, Fate::notApplied);
  EXPECT_EQ(told.error->kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(told.error->effect(), Effect::unknown) << "the lost one may yet arrive";
  EXPECT_EQ(told.error->attempts(), 1);
  EXPECT_EQ(sent(), "grg");
  EXPECT_TRUE(h.clock->sleeps.empty());
}

TEST_F(Settle, EndsWhenItIsToldToStop) {
  std::stop_source source;
  h.clock->onSleep = [&] { source.request_stop(); };
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  const Error error = settle({.maxNetworkRetries = 5, .stop = source.get_token()}).error();
  EXPECT_EQ(error.kind(), ErrorKind::canceled);
  EXPECT_EQ(error.effect(), Effect::unknown);
  EXPECT_EQ(sent(), "gr");
}

TEST_F(Settle, SendsEverythingWithTheOptionsOfTheCall) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::ok(failedJson()));
  ASSERT_TRUE(settle({.connectedAccount = "acct_1"}));
  for (const HttpRequest& request : h.transport->requests)
    EXPECT_EQ(*test::find(request.headers, "Service-Account"), "acct_1");
}

TEST_F(Settle, AndFateOfRefuseWhatCouldNeverHaveBeenSent) {
  const auto records = h.client.paymentRecords();
  for (const auto& result :
       {records.settle("pr_1", PaymentRecordReportFailedParams{}),
        records.fateOf("pr_1", PaymentRecordReportFailedParams{}), records.fateOf("par_1", params)}) {
    EXPECT_EQ(result.error().kind(), ErrorKind::invalidParameter);
    EXPECT_EQ(result.error().effect(), Effect::none);
  }
  EXPECT_EQ(sent(), "");
}

/// The report may have been sent all the same, by a client that was made otherwise.
TEST_F(Settle, AndFateOfKnowNothingWhereTheCallItselfIsWrong) {
  const auto records = h.client.paymentRecords();
  PaymentRecord before;
  before.id = "pr_1";
  before.latestPaymentAttemptRecord = "par_1";
  PaymentRecord other = before;
  other.id = "pr_2";
  const std::pair<Result<ReportFate<PaymentRecord>>, std::string_view> results[] = {
      {records.settle("pr_1", params, {.attempt = ""}), "attempt"},
      {records.fateOf("pr_1", params, {.attempt = "pr_1"}), "attempt"},
      {records.settle("pr_1", params, {.before = other}), "before"},
      {records.settle("pr_1", params, {.before = before, .attempt = "par_2"}), "before"},
      {records.settle("pr_1", params, {}, {.key = ""}), "key"},
      {records.fateOf("pr_1", params, {}, {.maxNetworkRetries = -1}), "maxNetworkRetries"},
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
