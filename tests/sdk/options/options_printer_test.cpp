#include <sstream>

#include <tally/async_client.h>
#include <tally/log_observer.h>
#include <tally/report_all.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

template <class T>
std::string shown(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(OptionsPrinter, ShowsOptionsWithTheirMemberNames) {
  ClientOptions options{.apiKey = "sk_test_1", .baseUrl = "https://api.example.com"};
  options.maxNetworkRetries = 2;
  EXPECT_EQ(
      shown(options),
      R"(ClientOptions{apiKey: set, baseUrl: "https://api.example.com", maxNetworkRetries: 2, )"
      R"(retryRateLimited: false, backoff: {initial: 0.5s, cap: 8s, retryAfterCap: 60s}, )"
      R"(retryBudget: {maxTokens: 20, tokensPerSuccess: 0.1}, timeout: 30s, )"
      R"(mutationQueue: {enabled: true, maxWaiting: 1000}, readsUsedBefore: {own: 0, onBehalf: 0, otherKeys: 0}, markAttempts: false, )"
      R"(http: {minTlsVersion: TLS 1.2, connectTimeout: 10s, maxIdleConnections: 64, maxIdleTime: 30s, )"
      R"(maxResponseBytes: 67108864, allowPlainHttp: false}})");
  options.application = {.name = "shop", .version = "1.4"};
  EXPECT_THAT(shown(options), HasSubstr("application: {name: shop, version: 1.4}, "));
  EXPECT_EQ(shown(options.application), "Application{name: shop, version: 1.4}");
  EXPECT_EQ(shown(options.backoff), "Backoff{initial: 0.5s, cap: 8s, retryAfterCap: 60s}");
}

TEST(OptionsPrinter, ShowsRawRequestsWithoutTheirJson) {
  EXPECT_EQ(shown(RawRequest{.method = Method::post, .path = "/v1/tea", .params = {{"a", "1"}}}),
            R"(RawRequest{method: POST, path: "/v1/tea", params: [{name: a, value: 1}]})");
  EXPECT_EQ(shown(RawRequest{.path = "/v2/tea", .json = {"{}"}}),
            R"(RawRequest{method: GET, path: "/v2/tea", json: 2 bytes})");
  EXPECT_EQ(shown(RawResponse{.json = {"{}"}}), "RawResponse{json: 2 bytes, lastResponse: {status: 0}}");
  EXPECT_EQ(shown(RequestOptions{.extraParams = {{"a", "1"}}}),
            R"(RequestOptions{extraParams: [{name: a, value: 1}]})");
}

TEST(OptionsPrinter, ShowsTheOptionsOfACall) {
  EXPECT_EQ(shown(RequestOptions{}), "RequestOptions{}");
  const RequestOptions options{.connectedAccount = "acct_1", .timeout = 1500ms, .maxNetworkRetries = 3};
  EXPECT_EQ(shown(options), "RequestOptions{connectedAccount: acct_1, timeout: 1.5s, maxNetworkRetries: 3}");
}

TEST(OptionsPrinter, ShowsNegativeAndVeryLongDurations) {
  EXPECT_EQ(shown(RequestOptions{.timeout = std::chrono::milliseconds::max()}),
            "RequestOptions{timeout: 9223372036854775.807s}");
  EXPECT_EQ(shown(RequestOptions{.timeout = std::chrono::milliseconds::min()}),
            "RequestOptions{timeout: -9223372036854775.808s}");
  EXPECT_EQ(shown(RequestOptions{.timeout = -50ms}), "RequestOptions{timeout: -0.05s}");
}

TEST(OptionsPrinter, NeverShowsASecret) {
  const std::string secret = "hush42";
  ClientOptions options{.apiKey = secret,
                        .apiKeyProvider = [secret] { return secret; },
                        .baseUrl = "https://user:" + secret + "@api.example.com?key=" + secret,
                        .headers = {{"Authorization", secret}, {"X-Token", secret}},
                        .http = {.caPem = secret,
                                 .clientCertificatePem = secret,
                                 .clientKeyPem = secret,
                                 .clientKeyPassword = secret,
                                 .proxy = "user:" + secret + "@proxy:3128"}};
  EXPECT_THAT(shown(options), Not(HasSubstr(secret)));
  EXPECT_THAT(shown(options), HasSubstr(R"(baseUrl: "https://api.example.com", )"));
  EXPECT_THAT(shown(options), HasSubstr("headers: [Authorization, X-Token]"));
  EXPECT_THAT(shown(options), HasSubstr("clientKeyPassword: set, "));
  EXPECT_THAT(shown(options), HasSubstr(R"(proxy: "proxy:3128")"));
  options.http.proxy = "http://user:a/b?" + secret + "@proxy:3128";
  EXPECT_THAT(shown(options.http), Not(HasSubstr(secret)));

  const RequestOptions request{.apiKey = secret, .headers = {{"Cookie", secret}}};
  EXPECT_EQ(shown(request), "RequestOptions{apiKey: set, headers: [Cookie]}");
  EXPECT_THAT(shown(ReportAllOptions{.request = request}), Not(HasSubstr(secret)));
}

TEST(OptionsPrinter, ShowsLimitsAndTheirOverrides) {
  const LimitOverride off{.limit = "global_rate", .livemode = true};
  EXPECT_EQ(shown(off), "LimitOverride{limit: global_rate, value: off, livemode: true}");
  EXPECT_EQ(
      shown(PacerOptions{.limits = {off, {.limit = "searches", .value = 5}}}),
      "PacerOptions{limits: [{limit: global_rate, value: off, livemode: true}, {limit: searches, value: 5}], "
      "livemode: true, singleAccount: false, recovery: 60s, windowMargin: 0.01s, assumeUsed: 0s, "
      "shareLease: 10s}");
  EXPECT_EQ(shown(Limit{.name = "a", .metric = LimitMetric::inProgress, .live = 3}),
            "Limit{name: a, reason: global-rate, metric: in progress, scope: account, "
            "countsForConnectedAccount: false, "
            "addsToEndpointRate: false, live: 3, window: 0s}");
  EXPECT_EQ(shown(ReadAllocation{.readsPerTransaction = 500, .minimum = 10'000, .window = 60s}),
            "ReadAllocation{readsPerTransaction: 500, minimum: 10000, window: 60s}");
  EXPECT_EQ(shown(ReadAllocation{}), "ReadAllocation{readsPerTransaction: 0, minimum: 0, window: 0s}");
}

TEST(OptionsPrinter, ShowsCountsAndResults) {
  EXPECT_EQ(shown(MutationCounts{.inProgress = 1, .waiting = 2}),
            "MutationCounts{inProgress: 1, waiting: 2}");
  EXPECT_EQ(shown(PacerCounts{.waiting = 1}), "PacerCounts{waiting: 1, inFlight: 0}");
  EXPECT_EQ(shown(AsyncCounts{}), "AsyncCounts{inFlight: 0, waiting: 0}");
  EXPECT_EQ(shown(CloseResult{.unknown = 3}), "CloseResult{completed: 0, unsent: 0, unknown: 3}");
  EXPECT_EQ(shown(AsyncOptions{.whenFull = WhenFull::wait}),
            "AsyncOptions{maxInFlight: 64, maxWaiting: 100000, whenFull: wait}");
  EXPECT_EQ(shown(LogOptions{}), "LogOptions{select: set, messages: false}");
  EXPECT_EQ(shown(ReadBefore::unlessAttemptKnown), "unless attempt known");
  EXPECT_EQ(shown(Timestamp{0s}), "1970-01-01T00:00:00Z");
}

TEST(OptionsPrinter, ShowsTheProgressOfBulkReports) {
  const Report report{.id = "pr_1", .outcome = "failed"};
  const std::string reason = "no\nrecord";
  EXPECT_EQ(shown(ReportResult{.row = 7, .report = report, .end = ReportEnd::refused, .reason = reason}),
            R"(row 8, pr_1: refused: no\nrecord)");
  EXPECT_EQ(shown(ReportSummary{.progress = {.applied = 3}, .stopped = true, .problem = "disk\nfull"}),
            R"(3 applied, 0 refused, 0 unknown, 0 waiting, 0.0 per second; stopped; disk\nfull)");
  EXPECT_EQ(shown(JournalIntent{.row = 1, .report = "{}", .before = "hush42"}),
            R"(JournalIntent{row: 1, report: "{}", before: 6 bytes})");
  EXPECT_EQ(shown(JournalOwner{.source = "a", .account = "b"}), "JournalOwner{source: a, account: b}");
  EXPECT_EQ(shown(JournalError{"in use"}), "in use");
}

}  // namespace
}  // namespace tally
