// settle(), request by request.

#include <string>
#include <string_view>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "support.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::Harness;

const PaymentRecordReportFailedParams params{.failedAt = std::chrono::sys_seconds{1'730'000'000s}};

/// A record, failed or not yet reported, of that attempt.
std::string failedJson() {
  return test::recordJson("pr_1");
}
std::string unreportedJson(std::string_view attempt = "par_1") {
  std::string json = test::recordJson("pr_1");
  const std::string_view amount = R"("amount_failed":{"currency":"usd","value":1000})";
  json.replace(json.find(amount), amount.size(), R"("amount_failed":{"currency":"usd","value":0})");
  json.replace(json.find("par_1"), 5, attempt);
  return json;
}

class Settle : public testing::Test {
 protected:
  Harness h{};

  Result<ReportFate<PaymentRecord>> settle(const RequestOptions& options = {}) {
    return h.client.paymentRecords().settle("pr_1", params, options);
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
  EXPECT_EQ(told.error->effect(), Effect::none) << "as was read afterwards";
  EXPECT_EQ(told.error->attempts(), 3);
  EXPECT_EQ(sent(), "grgrgrg");
}

TEST_F(Settle, WaitsLongerBeforeEachSending) {
  for (int i = 0; i < 3; ++i) {
    h.answer(test::ok(unreportedJson()));
    h.answer(i < 2 ? test::Answer{test::lockTimeout()} : test::ok(failedJson()));
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
  EXPECT_EQ(sent(), "grg");
}

TEST_F(Settle, DoesNotSendWhereANewAttemptBeginsMeanwhile) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  h.answer(test::ok(unreportedJson("par_2")));
  const auto told = settle({.maxNetworkRetries = 5}).value();
  EXPECT_EQ(told.fate, Fate::undecided);
  EXPECT_EQ(told.sentAgain, 1);
}

TEST_F(Settle, KnowsNothingWhereTheRecordCannotBeRead) {
  h.answer(test::ok(unreportedJson()));
  h.answer(test::lostAnswer());
  h.answer(test::refused(500, "api_error"));
  const Error error = settle().error();
  EXPECT_EQ(error.kind(), ErrorKind::server);
  EXPECT_EQ(error.effect(), Effect::unknown);
  EXPECT_EQ(error.operation(), "payment_records.report_failed");
  EXPECT_EQ(error.message(), "what became of the report could not be read: No.");
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

}  // namespace
}  // namespace tally
