// Keys that a provider returns for each attempt, in every way to make a call.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tally/observer.h>
#include <tally/pacer.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/ways.h"

namespace tally::apiKeyProviderTest {
namespace {

using namespace std::chrono_literals;
using test::NamedWay;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Keeps how often requests were begun.
class Sendings final : public Observer {
 public:
  void on(const Event& event) noexcept override { count += event.kind == EventKind::attemptStarted ? 1 : 0; }
  int count = 0;
};

class ApiKeys : public testing::TestWithParam<NamedWay> {
 protected:
  /// Returns `sk_test_key1`, `sk_test_key2` and so on, unless told otherwise.
  std::string next() {
    ++asked;
    if (onAsked) onAsked();
    return given ? *given : "sk_test_key" + std::to_string(asked);
  }

  ClientOptions options() {
    return {.apiKeyProvider = [this] { return next(); },
            .baseUrl = "https://service.test",
            .transport = transport,
            .clock = clock,
            .observer = sendings,
            .jitterSeed = 7};
  }
  [[nodiscard]] static std::unique_ptr<test::Way> way(const ClientOptions& options) {
    return GetParam().of(options);
  }

  void respond(TransportResult response) { transport->responses.push_back(std::move(response)); }
  void respondWithRecord() { respond(test::ok(test::recordJson("pr_1"))); }

  [[nodiscard]] std::vector<std::string> keysSent() const {
    std::vector<std::string> keys;
    for (const HttpRequest& request : transport->requests)
      keys.push_back(*test::find(request.headers, "Authorization"));
    return keys;
  }

  void expectNothingSent(const test::Outcome& outcome, const std::string& why) const {
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->kind(), ErrorKind::invalidParameter);
    EXPECT_EQ(outcome->param(), "apiKeyProvider");
    EXPECT_EQ(outcome->message(), "apiKeyProvider " + why);
    EXPECT_EQ(outcome->effect(), Effect::none);
    EXPECT_EQ(outcome->attemptCount(), 0);
    EXPECT_TRUE(transport->requests.empty());
    EXPECT_EQ(sendings->count, 0);
  }

  int asked = 0;
  std::optional<std::string> given{};
  std::function<void()> onAsked{};
  std::shared_ptr<test::TestClock> clock = std::make_shared<test::TestClock>();
  std::shared_ptr<test::CannedTransport> transport = std::make_shared<test::CannedTransport>();
  std::shared_ptr<Sendings> sendings = std::make_shared<Sendings>();
  test::WayCall retrieval{.operation = "payment_records.retrieve", .object = "pr_1"};
  test::WayCall report{.operation = "payment_records.report_failed", .object = "pr_1"};
};

INSTANTIATE_TEST_SUITE_P(Ways, ApiKeys, testing::ValuesIn(test::ways),
                         [](const auto& info) { return std::string{info.param.name}; });

TEST_P(ApiKeys, AreRequestedForEachAttempt) {
  auto retrying = options();
  retrying.maxNetworkRetries = 2;
  const auto made = way(retrying);
  respond(test::notSent());
  respond(test::lockTimeout());
  respondWithRecord();
  respondWithRecord();
  EXPECT_FALSE(made->make(report));
  EXPECT_FALSE(made->make(retrieval));
  EXPECT_THAT(keysSent(), ElementsAre("Bearer sk_test_key1", "Bearer sk_test_key2", "Bearer sk_test_key3",
                                      "Bearer sk_test_key4"));
  EXPECT_EQ(asked, 4);
}

TEST_P(ApiKeys, AreRequestedForEachPage) {
  respond(test::ok(test::pageJson({"pr_1"}, true)));
  respond(test::ok(test::pageJson({"pr_2"}, false)));
  EXPECT_FALSE(way(options())->make({.operation = "payment_records.list"}));
  EXPECT_THAT(keysSent(), ElementsAre("Bearer sk_test_key1", "Bearer sk_test_key2"));
}

TEST_P(ApiKeys, AreNotRequestedIfTheCallProvidesAKeyOrAnAuthorizationHeader) {
  const auto made = way(options());
  respondWithRecord();
  respondWithRecord();
  retrieval.options = {.apiKey = "sk_test_own"};
  EXPECT_FALSE(made->make(retrieval));
  retrieval.options = {.headers = {{"Authorization", "Basic abc"}}};
  EXPECT_FALSE(made->make(retrieval));
  EXPECT_THAT(keysSent(), ElementsAre("Bearer sk_test_own", "Basic abc"));
  EXPECT_EQ(asked, 0);
}

TEST_P(ApiKeys, AreNotSentIfTheProviderThrows) {
  const auto made = way(options());
  onAsked = [] { throw std::runtime_error{"sk_test_secret is revoked"}; };
  expectNothingSent(made->make(report), "threw an exception");
  onAsked = [] { throw 42; };
  expectNothingSent(made->make(report), "threw an exception");
  onAsked = nullptr;
  respondWithRecord();
  EXPECT_FALSE(made->make(report));
}

TEST_P(ApiKeys, AreNotSentIfInvalid) {
  const auto made = way(options());
  given = "";
  expectNothingSent(made->make(report), "returned an empty key");
  given = "sk_test_a\r\nX: 1";
  expectNothingSent(made->make(report), "returned a key with a line break or a control character");
  given.reset();
  respondWithRecord();
  EXPECT_FALSE(made->make(report));
  EXPECT_EQ(made->readsUsed().own, 0);
}

/// A retry that lacks its key returns its token, so the next call can be retried.
TEST_P(ApiKeys, AreNotSentWithARetryIfTheProviderThrows) {
  auto retrying = options();
  retrying.maxNetworkRetries = 1;
  retrying.retryBudget = {.maxTokens = 1, .tokensPerSuccess = 0};
  const auto made = way(retrying);
  respond(test::notSent());
  onAsked = [this] {
    if (asked == 2) throw std::runtime_error{"vault"};
  };
  const auto outcome = made->make(report);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->param(), "apiKeyProvider");
  EXPECT_THAT(outcome->message(), HasSubstr("last attempt: "));
  EXPECT_EQ(outcome->effect(), Effect::none);
  EXPECT_EQ(outcome->attemptCount(), 1);
  respond(test::notSent());
  respondWithRecord();
  EXPECT_FALSE(made->make(report));
}

TEST_P(ApiKeys, AreAbsentFromErrors) {
  const auto made = way(options());
  respond(test::refused(401, "key sk_test_key1 expired"));
  const auto outcome = made->make(retrieval);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->code(), "key [key] expired");
}

/// Otherwise, a rotated key would begin with unused limits.
TEST_P(ApiKeys, AreAttributedToOneAccountByThePacer) {
  auto paced = options();
  paced.pacer = std::make_shared<Pacer>(
      PacerOptions{.limits = {{.limit = "global_rate", .value = 1}}, .windowMargin = 0ms});
  const auto made = way(paced);
  for (int i = 0; i < 3; ++i) {
    respondWithRecord();
    EXPECT_FALSE(made->make(retrieval));
  }
  EXPECT_EQ(clock->now(), Instant{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}} + 2s);
  EXPECT_FALSE(paced.pacer->usage("", clock->now()).empty());
}

TEST_P(ApiKeys, DoNotUseUpALimitIfInvalid) {
  auto paced = options();
  paced.pacer = std::make_shared<Pacer>(
      PacerOptions{.limits = {{.limit = "global_rate", .value = 1}}, .windowMargin = 0ms});
  const auto made = way(paced);
  const Instant start = clock->now();
  given = "";
  EXPECT_TRUE(made->make(report));
  given.reset();
  respondWithRecord();
  EXPECT_FALSE(made->make(report));
  EXPECT_EQ(clock->now(), start);
  EXPECT_EQ(paced.pacer->counts().waiting, 0U);
}

TEST_P(ApiKeys, ShareOneCountOfReads) {
  const auto made = way(options());
  for (int i = 0; i < 2; ++i) {
    respondWithRecord();
    EXPECT_FALSE(made->make(retrieval));
  }
  EXPECT_EQ(made->readsUsed().own, 2);
}

TEST(ApiKeyProviderOption, CannotBeCombinedWithAKey) {
  ClientOptions options{.apiKey = "sk_test_1",
                        .apiKeyProvider = [] { return std::string{"sk_test_2"}; },
                        .transport = std::make_shared<test::CannedTransport>()};
  EXPECT_THROW((void)Client{options}, std::invalid_argument);
  options.apiKey = {};
  EXPECT_NO_THROW((void)Client{options});
}

}  // namespace
}  // namespace tally::apiKeyProviderTest
