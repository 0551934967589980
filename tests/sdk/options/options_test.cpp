// Which options are refused, when and under which name; and how long a call may take.

#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/page_walks.h"

namespace tally::optionsTest {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using test::Harness;

constexpr std::chrono::sys_seconds reportTime{1s};

/// The problem that the construction of a client reports; empty if none.
std::string refusalOf(ClientOptions options) {
  options.apiKey = "sk_test_1";
  options.transport = std::make_shared<test::CannedTransport>();
  try {
    const Client client{std::move(options)};
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return {};
}

TEST(ClientOptionsCheck, NamesTheInvalidOption) {
  constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusalOf({.timeout = 0ms}), "timeout must be more than 0, not 0 ms");
  EXPECT_EQ(refusalOf({.timeout = -1ms}), "timeout must be more than 0, not -1 ms");
  EXPECT_EQ(refusalOf({.timeout = milliseconds::min()}),
            "timeout must be more than 0, not -9223372036854775808 ms");
  EXPECT_EQ(refusalOf({.backoff = {.initial = 0ms}}), "backoff.initial must be more than 0, not 0 ms");
  EXPECT_EQ(refusalOf({.backoff = {.initial = -5ms}}), "backoff.initial must be more than 0, not -5 ms");
  EXPECT_EQ(refusalOf({.backoff = {.cap = 0ms}}), "backoff.cap must be more than 0, not 0 ms");
  EXPECT_EQ(refusalOf({.backoff = {.retryAfterCap = -1ms}}),
            "backoff.retryAfterCap must be at least 0, not -1 ms");
  EXPECT_EQ(refusalOf({.maxNetworkRetries = -1}), "maxNetworkRetries must be at least 0, not -1");
  EXPECT_THAT(refusalOf({.retryBudget = {.maxTokens = -1}}),
              testing::StartsWith("retryBudget.maxTokens must be"));
  EXPECT_THAT(refusalOf({.retryBudget = {.maxTokens = notANumber}}),
              testing::StartsWith("retryBudget.maxTokens must be"));
  EXPECT_THAT(refusalOf({.retryBudget = {.tokensPerSuccess = -0.1}}),
              testing::StartsWith("retryBudget.tokensPerSuccess must be"));
  EXPECT_EQ(refusalOf({.readsUsedBefore = {.own = -1}}), "readsUsedBefore.own must be at least 0, not -1");
  EXPECT_EQ(refusalOf({.readsUsedBefore = {.onBehalf = -1}}),
            "readsUsedBefore.onBehalf must be at least 0, not -1");
  EXPECT_EQ(refusalOf({.readsUsedBefore = {.otherKeys = -1}}),
            "readsUsedBefore.otherKeys must be at least 0, not -1");
  for (const std::string bad : {"my shop", "shop/1", "shop\r\nX: 1", "caf\xc3\xa9", "(shop)"}) {
    EXPECT_EQ(refusalOf({.application = {.name = bad}}),
              "application.name contains a character that `User-Agent` does not permit");
    EXPECT_EQ(refusalOf({.application = {.name = "shop", .version = bad}}),
              "application.version contains a character that `User-Agent` does not permit");
  }
  EXPECT_EQ(refusalOf({.application = {.version = "1.4"}}), "application.version needs application.name");
}

TEST(ClientOptionsCheck, AcceptsTheEndsOfEachRange) {
  EXPECT_EQ(refusalOf({.maxNetworkRetries = 0,
                       .backoff = {.initial = 1ms, .cap = 1ms, .retryAfterCap = 0ms},
                       .retryBudget = {.maxTokens = 0, .tokensPerSuccess = 0},
                       .timeout = 1ms,
                       .mutationQueue = {.maxWaiting = 0}}),
            "");
  EXPECT_EQ(refusalOf({.application = {.name = "shop"}}), "");
  EXPECT_EQ(refusalOf({.application = {.name = "!#$%&'*+-.^_`|~09azAZ", .version = "1.4-rc.1+7"}}), "");
  EXPECT_EQ(refusalOf({.maxNetworkRetries = std::numeric_limits<int>::max(),
                       .backoff = {milliseconds::max(), milliseconds::max(), milliseconds::max()},
                       .retryBudget = {.maxTokens = std::numeric_limits<double>::infinity()},
                       .timeout = milliseconds::max(),
                       .mutationQueue = {.maxWaiting = std::numeric_limits<std::size_t>::max()}}),
            "");
}

TEST(RequestOptionsCheck, NamesTheInvalidOptionInEveryMethod) {
  const std::pair<std::string, RequestOptions> cases[] = {
      {"timeout", {.timeout = 0ms}},
      {"timeout", {.timeout = -1ms}},
      {"totalTimeout", {.totalTimeout = 0ms}},
      {"totalTimeout", {.totalTimeout = milliseconds::min()}},
      {"maxNetworkRetries", {.maxNetworkRetries = -1}},
  };
  for (const auto& [param, options] : cases) {
    const Harness h;
    const PaymentRecords records = h.client.paymentRecords();
    auto pager = records.list({}, options);
    auto pages = records.search({.query = "created>0"}, options).pages();
    const Error errors[] = {records.retrieve("pr_1", options).error(),
                            records.reportFailed("pr_1", {.failedAt = reportTime}, options).error(),
                            pager.begin()->error(), pager.collect(1).error(), pages.begin()->error()};
    for (const Error& error : errors) {
      EXPECT_EQ(error.kind(), ErrorKind::invalidParameter) << error;
      EXPECT_EQ(error.param(), param) << error;
      EXPECT_EQ(error.effect(), Effect::none);
    }
    const Error ofEarlierReports[] = {
        records.resolveReport("pr_1", PaymentRecordReportFailedParams{.failedAt = reportTime}, {}, options)
            .error(),
        records.checkReport("pr_1", PaymentRecordReportFailedParams{.failedAt = reportTime}, {}, options)
            .error()};
    for (const Error& error : ofEarlierReports) {
      EXPECT_EQ(error.kind(), ErrorKind::invalidParameter) << error;
      EXPECT_EQ(error.param(), param) << error;
      EXPECT_EQ(error.effect(), Effect::unknown) << "the report was sent before";
    }
    EXPECT_TRUE(h.transport->requests.empty());
  }
}

TEST(Options, AcceptTheLongestPossibleDuration) {
  Harness h{{.maxNetworkRetries = 1,
             .backoff = {.initial = milliseconds::max(), .cap = 1s, .retryAfterCap = milliseconds::max()},
             .timeout = milliseconds::max()}};
  h.respond(test::refused(429, "lock_timeout", {{"Retry-After", "2"}}));
  h.respond(test::ok(test::recordJson("pr_1")));
  EXPECT_TRUE(h.client.paymentRecords().retrieve(
      "pr_1",
      {.timeout = milliseconds::max(), .totalTimeout = milliseconds::max(), .deadline = Instant::max()}));
  EXPECT_EQ(h.transport->limits.at(0).deadline, Instant::max());
  EXPECT_GE(h.clock->sleeps.at(0), 2'500ms);
  EXPECT_LE(h.clock->sleeps.at(0), 3'000ms);
}

TEST(TotalTimeout, BoundsAttemptsAndWaits) {
  Harness h{{.maxNetworkRetries = 9, .backoff = {.initial = 1s, .cap = 1s}}};
  for (int i = 0; i < 9; ++i)
    h.respond(test::lockTimeout());
  const Instant begin = h.clock->now();
  const auto result = h.client.paymentRecords().retrieve("pr_1", {.totalTimeout = 2'500ms});
  EXPECT_EQ(result.error().kind(), ErrorKind::deadlineExceeded);
  EXPECT_LT(h.clock->now() - begin, 2'500ms);
  EXPECT_GT(h.transport->requests.size(), 1U);
  for (const SendLimits& limits : h.transport->limits)
    EXPECT_EQ(limits.deadline, begin + 2'500ms);
}

TEST(TotalTimeout, AppliesAlongsideADeadline) {
  Harness h;
  const Instant begin = h.clock->now();
  for (const auto& [totalTimeout, deadline] :
       {std::pair{5s, begin + 3s}, std::pair{3s, begin + 5s}, std::pair{3s, Instant::max()}}) {
    h.respond(test::ok(test::recordJson("pr_1")));
    EXPECT_TRUE(
        h.client.paymentRecords().retrieve("pr_1", {.totalTimeout = totalTimeout, .deadline = deadline}));
    EXPECT_EQ(h.transport->limits.back().deadline, begin + 3s);
  }
}

/// Each response takes `each`.
Harness slow(std::chrono::nanoseconds each) {
  Harness h;
  h.transport->onSend = [clock = h.clock, each] { clock->advance(each); };
  return h;
}

TEST(TotalTimeout, BoundsAWholeIteration) {
  for (const bool ahead : {false, true}) {
    Harness h = slow(2s);
    const Instant begin = h.clock->now();
    test::respondWithNineRecords(h, 3);
    auto pager = h.client.paymentRecords().list({.limit = 3}, {.totalTimeout = 4s});
    if (ahead) pager = std::move(pager).prefetch();
    const auto walked = test::walk(pager);
    EXPECT_EQ(walked.ids.size(), 6U);
    ASSERT_TRUE(walked.error);
    EXPECT_EQ(walked.error->kind(), ErrorKind::deadlineExceeded);
    EXPECT_EQ(h.transport->limits.at(0).deadline, begin + 4s);
    EXPECT_EQ(h.transport->limits.at(1).deadline, begin + 4s) << "it does not restart with each page";
  }
}

/// A record without reports.
std::string unreportedJson() {
  std::string json = test::recordJson("pr_1");
  const std::string failed = R"("amount_failed":{"currency":"usd","value":)";
  return json.replace(json.find(failed) + failed.size(), 4, "0");
}

TEST(TotalTimeout, BoundsAllRequestsOfAResolution) {
  Harness h = slow(2s);
  const Instant begin = h.clock->now();
  h.respond(test::ok(unreportedJson()));
  h.respond(test::ok(test::recordJson("pr_1")));
  const auto found = h.client.paymentRecords().resolveReport(
      "pr_1", PaymentRecordReportFailedParams{.failedAt = reportTime}, {}, {.totalTimeout = 5s});
  EXPECT_EQ(found.value().status, ReportStatus::applied);
  ASSERT_EQ(h.transport->limits.size(), 2U);
  for (const SendLimits& limits : h.transport->limits)
    EXPECT_EQ(limits.deadline, begin + 5s);
}

}  // namespace
}  // namespace tally::optionsTest
