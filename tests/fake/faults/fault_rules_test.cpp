#include "faults/fault_rules.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tables/description.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view reportFailed = "payment_records.report_failed";
constexpr std::string_view retrieveRecord = "payment_records.retrieve";

class FaultRulesTest : public testing::Test {
 protected:
  std::string take(std::string_view operation, std::string_view object) {
    auto fault = rules.take(operation, object, Moment::arrival);
    if (!fault) fault = rules.take(operation, object, Moment::responded);
    if (!fault) fault = rules.take(operation, object, Moment::processed);
    if (!fault) return "none";
    if (const auto* refusal = std::get_if<Refusal>(&fault->response))
      return std::string{refusal->response->name};
    if (const auto* response = std::get_if<HttpResponse>(&fault->response))
      return std::to_string(response->status);
    return std::string{toString(fault->kind)};
  }

  std::string reason() {
    return std::get<Refusal>(rules.take(retrieveRecord, "", Moment::arrival).value().response)
        .rateLimitedReason;
  }

  void refused(FaultRule rule, const std::string& why) {
    try {
      rules.add(std::move(rule));
      ADD_FAILURE() << why;
    } catch (const std::invalid_argument& refusal) {
      EXPECT_EQ(refusal.what(), why);
    }
  }

  FaultRules rules{Description{}.operations, Description{}.errors};
};

TEST_F(FaultRulesTest, FireAsOftenAsTheySay) {
  rules.add({.times = 2, .error = "lock_timeout"});
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "lock_timeout");
  EXPECT_EQ(rules.pending(), (std::vector<FaultRule>{{.times = 1, .error = "lock_timeout"}}));
  EXPECT_EQ(take(retrieveRecord, "pr_2"), "lock_timeout");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_TRUE(rules.pending().empty());
}

TEST_F(FaultRulesTest, FireOnlyForWhatTheyName) {
  rules.add({.operation = std::string{reportFailed}, .object = "pr_1", .error = "lock_timeout"});
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_EQ(take(reportFailed, "pr_2"), "none");
  EXPECT_EQ(take(reportFailed, ""), "none");
  EXPECT_EQ(take(reportFailed, "pr_1"), "lock_timeout");
}

TEST_F(FaultRulesTest, FireInTheOrderInWhichTheyWereAdded) {
  rules.add({.object = "pr_1", .error = "resource_missing"});
  rules.add({.error = "lock_timeout"});
  rules.add({.error = "key_unknown"});
  EXPECT_EQ(take(retrieveRecord, "pr_2"), "lock_timeout");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "resource_missing");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "key_unknown");
}

TEST_F(FaultRulesTest, BearTheReasonOfARateLimit) {
  rules.add({.error = "rate_limit", .rateLimitedReason = "endpoint-rate"});
  rules.add({.error = "rate_limit"});
  rules.add({.error = "rate_limit", .rateLimitedReason = ""});
  EXPECT_EQ(reason(), "endpoint-rate");
  EXPECT_EQ(reason(), "global-rate");
  EXPECT_EQ(reason(), "");
}

TEST_F(FaultRulesTest, LetRequestsPassWhereTheySayNothing) {
  rules.add({.times = 2});
  rules.add({.fault = fake::Fault::responseLost});
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "response lost");
}

TEST_F(FaultRulesTest, BearAnyResponseAnyHeaderAndAnyLatency) {
  rules.add({.response = HttpResponse{.status = 418, .headers = {}, .body = "short"},
             .headers = {{"Retry-After", "3"}},
             .latency = std::chrono::seconds{2}});
  const auto fault = rules.take(retrieveRecord, "pr_1", Moment::arrival);
  ASSERT_TRUE(fault);
  EXPECT_EQ(std::get<HttpResponse>(fault->response).status, 418);
  EXPECT_EQ(fault->headers, (std::vector<Header>{{"Retry-After", "3"}}));
  EXPECT_EQ(fault->latency, std::chrono::seconds{2});
}

TEST_F(FaultRulesTest, WhatNeedsProcessingWaitsForItAndSoDoesWhatWasAddedLater) {
  rules.add({.times = 2, .fault = fake::Fault::garbledBody});
  rules.add({.error = "lock_timeout"});
  EXPECT_FALSE(rules.take(retrieveRecord, "pr_1", Moment::arrival));
  EXPECT_FALSE(rules.take(retrieveRecord, "pr_1", Moment::arrival));
  EXPECT_EQ(rules.pending().front().times, 2);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(rules.take(retrieveRecord, "pr_1", Moment::responded).value().kind, fake::Fault::garbledBody);
  EXPECT_FALSE(rules.take(retrieveRecord, "pr_1", Moment::responded)) << "it replaces processing";
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "lock_timeout");
}

TEST_F(FaultRulesTest, AnErrorAfterProcessingIsAnyServerError) {
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

TEST_F(FaultRulesTest, AnEmptyPageIsForListsAndSearchesAlone) {
  rules.add({.times = 2, .fault = fake::Fault::emptyPage});
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_EQ(take(reportFailed, "pr_1"), "none");
  EXPECT_EQ(take("payment_records.list", ""), "empty page");
  EXPECT_EQ(take("payment_records.search", ""), "empty page");
  EXPECT_TRUE(rules.pending().empty());
}

TEST_F(FaultRulesTest, AreRefusedWhereTheyCouldNeverFire) {
  refused({.error = "lock_timeoutt"}, "a fault rule names an unknown error 'lock_timeoutt'");
  refused({.operation = "payment_records.report"},
          "a fault rule names an unknown operation 'payment_records.report'");
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

TEST_F(FaultRulesTest, AreToldInWords) {
  EXPECT_EQ(describe({.operation = "payment_records.retrieve", .object = "pr_1", .error = "lock_timeout"}),
            "payment_records.retrieve of pr_1: error lock_timeout (1 time left)");
  EXPECT_EQ(describe({.times = 2, .fault = fake::Fault::connectionRefused}),
            "any operation: connection refused (2 times left)");
  EXPECT_EQ(describe({.latency = std::chrono::seconds{1}}), "any operation: latency (1 time left)");
}

}  // namespace

}  // namespace tally::fake::detail
