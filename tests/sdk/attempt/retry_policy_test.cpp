// Policies that decide about retries, in every way to make a call, and the bounds that hold for each of them.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <tally/observer.h>
#include <tally/retry_policy.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/ways.h"

namespace tally::retryPolicyTest {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using test::NamedWay;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Decision = std::function<std::optional<nanoseconds>(const FailedAttempt&)>;

class Deciding final : public RetryPolicy {
 public:
  explicit Deciding(Decision decision) : decision_(std::move(decision)) {}

  [[nodiscard]] std::optional<nanoseconds> waitBeforeRetry(
      const FailedAttempt& failed) const noexcept override {
    return decision_(failed);
  }

 private:
  Decision decision_;
};

class RetryPolicies : public testing::TestWithParam<NamedWay> {
 protected:
  [[nodiscard]] ClientOptions options() {
    return {.apiKey = "sk_test_1",
            .baseUrl = "https://service.test",
            .retryPolicy = policy([this](const FailedAttempt& failed) {
              kinds.push_back(failed.error.kind());
              attempts.push_back(failed.attempt);
              operations.emplace_back(failed.operation);
              times.push_back(failed.time);
              deadlines.push_back(failed.deadline);
              defaults.push_back(failed.waitByDefault);
              return decide ? decide(failed) : std::optional<nanoseconds>{7ms};
            }),
            .transport = transport,
            .clock = clock,
            .jitterSeed = 7};
  }
  static std::shared_ptr<const RetryPolicy> policy(Decision decision) {
    return std::make_shared<Deciding>(std::move(decision));
  }
  [[nodiscard]] static std::unique_ptr<test::Way> way(const ClientOptions& options) {
    return GetParam().of(options);
  }
  void respond(TransportResult response) { transport->responses.push_back(std::move(response)); }
  void respondWithRecord() { respond(test::ok(test::recordJson("pr_1"))); }

  std::vector<ErrorKind> kinds{};
  std::vector<int> attempts{};
  std::vector<std::string> operations{};
  std::vector<Instant> times{};
  std::vector<std::optional<Instant>> deadlines{};
  std::vector<std::optional<nanoseconds>> defaults{};
  Decision decide{};
  std::shared_ptr<test::TestClock> clock = std::make_shared<test::TestClock>();
  std::shared_ptr<test::CannedTransport> transport = std::make_shared<test::CannedTransport>();
  test::WayCall retrieval{.operation = "payment_records.retrieve", .object = "pr_1"};
  test::WayCall report{.operation = "payment_records.report_failed", .object = "pr_1"};
};

INSTANTIATE_TEST_SUITE_P(Ways, RetryPolicies, testing::ValuesIn(test::ways),
                         [](const auto& info) { return std::string{info.param.name}; });

TEST_P(RetryPolicies, DecideWhetherAndWhenToRetry) {
  decide = [](const FailedAttempt& failed) {
    return failed.attempt == 3 ? std::nullopt : std::optional<nanoseconds>{failed.attempt * 1s};
  };
  const Instant begin = clock->now();
  for (int i = 0; i < 3; ++i)
    respond(test::refused(404, "resource_missing"));
  const auto outcome = way(options())->make(retrieval);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kind(), ErrorKind::notFound);
  EXPECT_EQ(outcome->attemptCount(), 3);
  EXPECT_EQ(clock->now() - begin, 3s);
  EXPECT_THAT(attempts, ElementsAre(1, 2, 3));
  EXPECT_THAT(times, ElementsAre(begin, begin + 1s, begin + 3s));
  EXPECT_THAT(kinds, testing::Each(ErrorKind::notFound));
  EXPECT_THAT(operations, testing::Each("payment_records.retrieve"));
  EXPECT_THAT(deadlines, testing::Each(std::nullopt));
  EXPECT_THAT(defaults, testing::Each(std::nullopt)) << "the client retries no 404";
}

TEST_P(RetryPolicies, ReceiveTheDefaultWait) {
  auto backingOff = options();
  backingOff.maxNetworkRetries = 1;
  backingOff.backoff = {.initial = 100ms, .cap = 100ms};
  decide = [](const FailedAttempt& failed) { return failed.waitByDefault; };
  const Instant begin = clock->now();
  respond(test::refused(429, "lock_timeout", {{"Retry-After", "2"}}));
  respond(test::lockTimeout());
  const auto outcome = way(backingOff)->make(report);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->attemptCount(), 2);
  ASSERT_THAT(defaults, SizeIs(2));
  EXPECT_GE(defaults[0], 2'050ms);
  EXPECT_LE(defaults[0], 2'100ms);
  EXPECT_EQ(clock->now() - begin, defaults[0]);
  EXPECT_EQ(defaults[1], std::nullopt) << "only one retry by default";
}

TEST_P(RetryPolicies, AreNeverConsultedAboutAReportThatMayHaveHadAnEffect) {
  const auto made = way(options());
  for (const TransportResult& lost :
       {TransportResult{test::lostResponse()}, TransportResult{test::refused(500, "")},
        TransportResult{TransportFailure{TransportFailure::Kind::timeout, true, ""}}}) {
    transport->requests.clear();
    respond(lost);
    const auto outcome = made->make(report);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->effect(), Effect::unknown);
    EXPECT_THAT(transport->requests, SizeIs(1));
  }
  EXPECT_THAT(attempts, IsEmpty());
}

TEST_P(RetryPolicies, AreNotConsultedAboutForbiddenOrCanceledRequests) {
  const auto made = way(options());
  respond(TransportFailure{TransportFailure::Kind::forbidden, false, "plain HTTP"});
  EXPECT_TRUE(made->make(retrieval));
  respond(TransportFailure{TransportFailure::Kind::canceled, false, "stopped"});
  EXPECT_TRUE(made->make(retrieval));
  EXPECT_THAT(attempts, IsEmpty());
}

TEST_P(RetryPolicies, CannotDelayARetryBeyondTheDeadline) {
  decide = [](const FailedAttempt&) { return std::optional<nanoseconds>{3s}; };
  const Instant begin = clock->now();
  retrieval.options.totalTimeout = 5s;
  respond(test::lockTimeout());
  respond(test::lockTimeout());
  const auto outcome = way(options())->make(retrieval);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(outcome->attemptCount(), 2);
  EXPECT_EQ(clock->now() - begin, 3s);
  EXPECT_THAT(deadlines, testing::Each(begin + 5s));
}

TEST_P(RetryPolicies, CannotExceedTheMaximumNumberOfRetriesOfTheCall) {
  retrieval.options.maxNetworkRetries = 1;
  respond(test::lockTimeout());
  respond(test::lockTimeout());
  const auto outcome = way(options())->make(retrieval);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->attemptCount(), 2);
  EXPECT_THAT(attempts, ElementsAre(1));
}

TEST_P(RetryPolicies, AreReplacedByThePolicyOfTheCall) {
  const auto none = policy([](const FailedAttempt&) { return std::optional<nanoseconds>{}; });
  retrieval.options.retryPolicy = none;
  respond(test::lockTimeout());
  EXPECT_TRUE(way(options())->make(retrieval));
  EXPECT_THAT(attempts, IsEmpty());
  EXPECT_THAT(transport->requests, SizeIs(1));
}

TEST_P(RetryPolicies, CannotExceedTheRetryBudget) {
  auto poor = options();
  poor.retryBudget = {.maxTokens = 1, .tokensPerSuccess = 0};
  respond(test::refused(503, ""));
  respond(test::refused(503, ""));
  const auto outcome = way(poor)->make(retrieval);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->attemptCount(), 2);
  EXPECT_THAT(outcome->message(), testing::HasSubstr("retry budget exhausted"));
}

/// Keeps how long the waits before retries are to be.
class Backoffs final : public Observer {
 public:
  void on(const Event& event) noexcept override {
    if (event.kind == EventKind::backoffStarted) waits.push_back(event.duration);
  }
  std::vector<nanoseconds> waits{};
};

TEST_P(RetryPolicies, CauseAnImmediateRetryIfTheyReturnANegativeWait) {
  const auto backoffs = std::make_shared<Backoffs>();
  auto observed = options();
  observed.observer = backoffs;
  decide = [](const FailedAttempt&) { return std::optional<nanoseconds>{-5s}; };
  respond(test::lockTimeout());
  respondWithRecord();
  EXPECT_FALSE(way(observed)->make(retrieval));
  EXPECT_THAT(backoffs->waits, ElementsAre(0ns));
}

TEST_P(RetryPolicies, CauseNoRetryOfAStoppedCallIfTheyReturnZero) {
  StopSource stop;
  auto real = options();
  real.clock = systemClock();
  decide = [](const FailedAttempt&) { return std::optional<nanoseconds>{0}; };
  retrieval.options.stop = stop.get_token();
  transport->onSend = [&] {
    if (transport->requests.size() == 2) stop.request_stop();
  };
  for (int i = 0; i < 3; ++i)
    respond(test::notSent());
  const auto outcome = way(real)->make(retrieval);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kind(), ErrorKind::canceled);
  EXPECT_THAT(transport->requests, SizeIs(2));
}

/// A resend is retried only after another lookup.
TEST(RetryPolicy, LetsResolveReportResendOnlyAfterAnotherLookup) {
  std::string unreported = test::recordJson("pr_1");
  const std::string failed = R"("amount_failed":{"currency":"usd","value":)";
  unreported.replace(unreported.find(failed) + failed.size(), 4, "0");
  for (const TransportResult& resent :
       {TransportResult{test::lostResponse()}, TransportResult{test::lockTimeout()}}) {
    std::vector<std::string> asked;
    test::Harness h{{.retryPolicy = std::make_shared<Deciding>([&](const FailedAttempt& attempt) {
                       asked.emplace_back(attempt.operation);
                       return std::optional<nanoseconds>{1ms};
                     })}};
    h.respond(test::ok(unreported));
    h.respond(resent);
    h.respond(test::ok(unreported));
    h.respond(test::ok(test::recordJson("pr_1")));
    const auto resolved = h.client.paymentRecords().resolveReport(
        "pr_1", PaymentRecordReportFailedParams{.failedAt = std::chrono::sys_seconds{1s}});
    ASSERT_TRUE(resolved.has_value()) << resolved.error();
    std::string methods;
    for (const HttpRequest& request : h.transport->requests)
      methods += toString(request.method)[0];
    EXPECT_EQ(methods, "GPGP");
    EXPECT_THAT(asked, ElementsAre("payment_records.report_failed"));
  }
}

TEST(FailedAttempt, IsPrintedWithAllItsMembers) {
  const Error error{{.kind = ErrorKind::lockTimeout, .message = "Busy."}};
  std::ostringstream out;
  out << FailedAttempt{
      .error = error, .operation = "files.list", .attempt = 2, .time = Instant{}, .waitByDefault = 500ms};
  EXPECT_THAT(out.str(), testing::StartsWith("FailedAttempt{error: "));
  EXPECT_THAT(out.str(),
              testing::EndsWith(
                  "operation: files.list, attempt: 2, time: 1970-01-01T00:00:00Z, waitByDefault: 0.5s}"));
}

}  // namespace
}  // namespace tally::retryPolicyTest
