#include "faults/fault_rules.h"

#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tables/description.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view reportFailed = "payment_records.report_failed";
constexpr std::string_view retrieveRecord = "payment_records.retrieve";

class FaultRulesTest : public testing::Test {
 protected:
  /// A request that arrives at `now`.
  [[nodiscard]] FaultTarget target(std::string_view operation, std::string_view object) const {
    return {.operation = operation, .object = object, .parts = RequestParts{request}, .arrived = now};
  }
  std::optional<FaultEffect> takeAt(std::string_view operation, std::string_view object, Moment moment) {
    FaultTarget each = target(operation, object);
    return rules.take(each, moment);
  }

  /// Takes a request through all moments.
  std::string take(std::string_view operation, std::string_view object) {
    FaultTarget each = target(operation, object);
    auto fault = rules.take(each, Moment::arrival);
    if (!fault) fault = rules.take(each, Moment::responded);
    if (!fault) fault = rules.take(each, Moment::processed);
    if (!fault) return "none";
    if (const auto* refusal = std::get_if<Refusal>(&fault->response))
      return std::string{refusal->response->name};
    if (const auto* response = std::get_if<HttpResponse>(&fault->response))
      return std::to_string(response->status);
    return std::string{toString(fault->kind)};
  }

  std::string reason() {
    return std::get<Refusal>(takeAt(retrieveRecord, "", Moment::arrival).value().response).rateLimitedReason;
  }

  void refused(FaultRule rule, const std::string& why) {
    try {
      rules.add(std::move(rule));
      ADD_FAILURE() << why;
    } catch (const std::invalid_argument& refusal) {
      EXPECT_EQ(refusal.what(), why);
    }
  }

  HttpRequest request{};
  Instant now{};
  FaultRules rules{Description{}.operations, Description{}.errors, 1};
};

TEST_F(FaultRulesTest, FireTheGivenNumberOfTimes) {
  rules.add({.times = 2, .error = "lock_timeout"});
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "lock_timeout");
  EXPECT_EQ(rules.pending(), (std::vector<FaultRule>{{.times = 1, .error = "lock_timeout"}}));
  EXPECT_EQ(take(retrieveRecord, "pr_2"), "lock_timeout");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_TRUE(rules.pending().empty());
}

TEST_F(FaultRulesTest, FireOnlyForMatchingRequests) {
  rules.add({.operation = std::string{reportFailed}, .object = "pr_1", .error = "lock_timeout"});
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_EQ(take(reportFailed, "pr_2"), "none");
  EXPECT_EQ(take(reportFailed, ""), "none");
  EXPECT_EQ(take(reportFailed, "pr_1"), "lock_timeout");
}

TEST_F(FaultRulesTest, FireInTheOrderOfInjection) {
  rules.add({.object = "pr_1", .error = "resource_missing"});
  rules.add({.error = "lock_timeout"});
  rules.add({.error = "key_unknown"});
  EXPECT_EQ(take(retrieveRecord, "pr_2"), "lock_timeout");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "resource_missing");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "key_unknown");
}

TEST_F(FaultRulesTest, GiveRateLimitErrorsTheSpecifiedReasonOrADefault) {
  rules.add({.error = "rate_limit", .rateLimitedReason = "endpoint-rate"});
  rules.add({.error = "rate_limit"});
  rules.add({.error = "rate_limit", .rateLimitedReason = ""});
  EXPECT_EQ(reason(), "endpoint-rate");
  EXPECT_EQ(reason(), "global-rate");
  EXPECT_EQ(reason(), "");
}

TEST_F(FaultRulesTest, UseUpTheirTurnsEvenWithoutAnEffect) {
  rules.add({.times = 2});
  rules.add({.fault = fake::Fault::responseLost});
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "response lost");
}

TEST_F(FaultRulesTest, CombineAResponseWithHeadersAndALatency) {
  rules.add({.response = HttpResponse{.status = 418, .headers = {}, .body = "short"},
             .headers = {{"Retry-After", "3"}},
             .latency = std::chrono::seconds{2}});
  const auto fault = takeAt(retrieveRecord, "pr_1", Moment::arrival);
  ASSERT_TRUE(fault);
  EXPECT_EQ(std::get<HttpResponse>(fault->response).status, 418);
  EXPECT_EQ(fault->headers, (std::vector<Header>{{"Retry-After", "3"}}));
  EXPECT_EQ(fault->latency, std::chrono::seconds{2});
}

TEST_F(FaultRulesTest, AreDeferredIfTheyApplyAfterProcessing) {
  rules.add({.times = 2, .fault = fake::Fault::garbledBody});
  rules.add({.error = "lock_timeout"});
  EXPECT_FALSE(takeAt(retrieveRecord, "pr_1", Moment::arrival));
  EXPECT_FALSE(takeAt(retrieveRecord, "pr_1", Moment::arrival));
  EXPECT_EQ(rules.pending().front().times, 2);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(takeAt(retrieveRecord, "pr_1", Moment::responded).value().kind, fake::Fault::garbledBody);
  EXPECT_FALSE(takeAt(retrieveRecord, "pr_1", Moment::responded)) << "it replaces processing";
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "lock_timeout");
}

TEST_F(FaultRulesTest, AcceptOnlyServerErrorsAfterProcessing) {
  rules.add({.fault = fake::Fault::errorAfterProcessing});
  rules.add({.fault = fake::Fault::errorAfterProcessing, .response = HttpResponse{.status = 503}});
  EXPECT_EQ(describe(rules.pending().back()), "any operation: error after processing (1 time left)");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "api_error");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "503");
  refused({.fault = fake::Fault::errorAfterProcessing, .response = HttpResponse{.status = 499}},
          "the status of an error after processing must be at least 500");
  refused({.fault = fake::Fault::errorAfterProcessing, .error = "api_error"},
          "a fault rule can have only one of fault, error and response");
  refused({.fault = fake::Fault::reset, .response = HttpResponse{.status = 503}},
          "a fault rule can have only one of fault, error and response");
}

TEST_F(FaultRulesTest, ReturnEmptyPagesOnlyForListsAndSearches) {
  rules.add({.times = 2, .fault = fake::Fault::emptyPage});
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_EQ(take(reportFailed, "pr_1"), "none");
  EXPECT_EQ(take("payment_records.list", ""), "empty page");
  EXPECT_EQ(take("payment_records.search", ""), "empty page");
  EXPECT_TRUE(rules.pending().empty());
}

TEST_F(FaultRulesTest, AreRefusedIfTheirTargetCountOrEffectIsInvalid) {
  refused({.error = "lock_timeoutt"},
          "a fault rule names an unknown error 'lock_timeoutt'; did you mean 'lock_timeout'?");
  refused({.operation = "payment_records.report"},
          "a fault rule names an unknown operation 'payment_records.report'; did you mean "
          "'payment_records.report_canceled'?");
  refused({.times = 0}, "a fault rule must apply at least once");
  refused({.latency = std::chrono::seconds{-1}}, "the latency of a fault rule can't be negative");
  refused({.error = "lock_timeout", .rateLimitedReason = "global-rate"},
          "the fault 'error lock_timeout' takes no rate-limited reason");
  refused({.fault = fake::Fault::reset, .error = "lock_timeout"},
          "a fault rule can have only one of fault, error and response");
  refused({.operation = std::string{retrieveRecord}, .fault = fake::Fault::emptyPage},
          "'payment_records.retrieve' returns no pages that could be empty");
  EXPECT_TRUE(rules.pending().empty());
}

TEST_F(FaultRulesTest, AreRefusedIfTheirScheduleLatencyOrPatternIsInvalid) {
  using namespace std::chrono_literals;
  constexpr auto century = std::chrono::nanoseconds{std::chrono::years{100}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused({.operation = "payouts.create", .object = "po_1"},
          "the path of 'payouts.create' has no object; leave out the object of the fault rule");
  refused({.every = 0}, "the n of a fault rule that applies to every n-th request must be at least 1");
  for (const double probability : {0.0, -0.1, 1.1, nan})
    refused({.probability = probability},
            "the probability of a fault rule must be greater than 0 and at most 1; to disable the fault, "
            "omit the rule");
  refused({.after = -1ns}, "the delay of a fault rule can't be negative");
  refused({.after = century + 1ns}, "the delay of a fault rule can't exceed 100 years");
  refused({.period = 0ns},
          "the period of a fault rule must be longer than 0; leave it out for a rule without an end");
  refused({.period = -1ns}, "the period of a fault rule can't be negative");
  refused({.latency = century + 1ns}, "the latency of a fault rule can't exceed 100 years");
  refused({.latency = 2s, .latencyUpTo = 1s},
          "the greatest latency of a fault rule must be at least its latency, or 0 for none");
  refused({.latencyUpTo = century + 1ns}, "the greatest latency of a fault rule can't exceed 100 years");
  for (const double sigma : {-0.1, 10.1, nan})
    refused({.latency = 1s, .latencySigma = sigma},
            "the sigma of a fault rule's latency must be from 0 to 10");
  refused({.latencySigma = 1},
          "a fault rule with a sigma needs a latency greater than 0, which is the median");
  for (const int chunks : {0, 10'001})
    refused({.chunks = chunks}, "the number of chunks of a fault rule must be from 1 to 10000");
  refused({.pause = 1s}, "the pause of a fault rule is between chunks; set chunks to at least 2");
  refused({.chunks = 3, .pause = -1ns}, "the pause of a fault rule can't be negative");
  refused({.chunks = 3, .pause = century / 2 + 1ns},
          "the pauses of a fault rule can't exceed 100 years in total");
  refused({.fault = fake::Fault::responseLost, .chunks = 2},
          "the fault 'response lost' produces no response that could come in chunks");
  refused({.params = {{"", "1"}}}, "a fault rule matches a parameter without a name");
  refused({.metadata = {{"", "1"}}}, "a fault rule matches a metadata key without a name");
  refused({.requestHeaders = {{"", "1"}}}, "a fault rule matches a header without a name");
  refused({.params = {{"a", "1"}, {"a", TextPattern::absent()}}},
          "a fault rule requires the parameter to be absent, but also requires a = \"1\"; remove one");
  EXPECT_TRUE(rules.empty());
}

TEST_F(FaultRulesTest, AcceptExtremeValues) {
  constexpr auto century = std::chrono::nanoseconds{std::chrono::years{100}};
  rules.add({.times = FaultRule::unlimited,
             .latency = century,
             .every = 1'000'000'000,
             .probability = 1e-300,
             .after = century,
             .period = century,
             .latencyUpTo = century,
             .latencySigma = 10});
  rules.add({.chunks = 10'000, .pause = century / 9'999});
  EXPECT_EQ(rules.all().size(), 2U);
}

TEST_F(FaultRulesTest, ArePrintedOnOneLine) {
  EXPECT_EQ(describe({.operation = "payouts.create",
                      .times = FaultRule::unlimited,
                      .params = {{"amount", "500"}},
                      .chunks = 2}),
            "payouts.create with parameter amount = \"500\": slow body (any number of times)");

  EXPECT_EQ(describe({.operation = "payment_records.retrieve", .object = "pr_1", .error = "lock_timeout"}),
            "payment_records.retrieve of pr_1: error lock_timeout (1 time left)");
  EXPECT_EQ(describe({.times = 2, .fault = fake::Fault::connectionRefused}),
            "any operation: connection refused (2 times left)");
  EXPECT_EQ(describe({.latency = std::chrono::seconds{1}}), "any operation: latency (1 time left)");
}

}  // namespace

}  // namespace tally::fake::detail
