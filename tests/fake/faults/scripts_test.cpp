#include "faults/scripts.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tables/description.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view reportFailed = "payment_records.report_failed";
constexpr std::string_view retrieveRecord = "payment_records.retrieve";

class ScriptsTest : public testing::Test {
 protected:
  std::string take(std::string_view operation, std::string_view object) {
    auto fault = scripts.take(operation, object, Moment::arrival);
    if (!fault) fault = scripts.take(operation, object, Moment::answered);
    if (!fault) fault = scripts.take(operation, object, Moment::processed);
    if (!fault) return "none";
    if (const auto* refusal = std::get_if<Refusal>(&fault->answer)) return std::string{refusal->answer->name};
    if (const auto* answer = std::get_if<HttpResponse>(&fault->answer)) return std::to_string(answer->status);
    return std::string{toString(fault->kind)};
  }

  std::string reason() {
    return std::get<Refusal>(scripts.take(retrieveRecord, "", Moment::arrival).value().answer)
        .rateLimitedReason;
  }

  void refused(Script script, const std::string& why) {
    try {
      scripts.add(std::move(script));
      ADD_FAILURE() << why;
    } catch (const std::invalid_argument& refusal) {
      EXPECT_EQ(refusal.what(), why);
    }
  }

  Scripts scripts{Description{}.operations, Description{}.errors};
};

TEST_F(ScriptsTest, FireAsOftenAsTheySay) {
  scripts.add({.times = 2, .error = "lock_timeout"});
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "lock_timeout");
  EXPECT_EQ(scripts.unfired(), (std::vector<Script>{{.times = 1, .error = "lock_timeout"}}));
  EXPECT_EQ(take(retrieveRecord, "pr_2"), "lock_timeout");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_TRUE(scripts.unfired().empty());
}

TEST_F(ScriptsTest, FireOnlyForWhatTheyName) {
  scripts.add({.operation = std::string{reportFailed}, .object = "pr_1", .error = "lock_timeout"});
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_EQ(take(reportFailed, "pr_2"), "none");
  EXPECT_EQ(take(reportFailed, ""), "none");
  EXPECT_EQ(take(reportFailed, "pr_1"), "lock_timeout");
}

TEST_F(ScriptsTest, FireInTheOrderInWhichTheyWereAdded) {
  scripts.add({.object = "pr_1", .error = "resource_missing"});
  scripts.add({.error = "lock_timeout"});
  scripts.add({.error = "key_unknown"});
  EXPECT_EQ(take(retrieveRecord, "pr_2"), "lock_timeout");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "resource_missing");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "key_unknown");
}

TEST_F(ScriptsTest, BearTheReasonOfARateLimit) {
  scripts.add({.error = "rate_limit", .rateLimitedReason = "endpoint-rate"});
  scripts.add({.error = "rate_limit"});
  scripts.add({.error = "rate_limit", .rateLimitedReason = ""});
  EXPECT_EQ(reason(), "endpoint-rate");
  EXPECT_EQ(reason(), "global-rate");
  EXPECT_EQ(reason(), "");
}

TEST_F(ScriptsTest, LetRequestsPassWhereTheySayNothing) {
  scripts.add({.times = 2});
  scripts.add({.fault = fake::Fault::answerLost});
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "answer lost");
}

TEST_F(ScriptsTest, BearAnyAnswerAnyHeaderAndAnyLatency) {
  scripts.add({.answer = HttpResponse{.status = 418, .headers = {}, .body = "short"},
               .headers = {{"Retry-After", "3"}},
               .latency = std::chrono::seconds{2}});
  const auto fault = scripts.take(retrieveRecord, "pr_1", Moment::arrival);
  ASSERT_TRUE(fault);
  EXPECT_EQ(std::get<HttpResponse>(fault->answer).status, 418);
  EXPECT_EQ(fault->headers, (std::vector<Header>{{"Retry-After", "3"}}));
  EXPECT_EQ(fault->latency, std::chrono::seconds{2});
}

TEST_F(ScriptsTest, WhatNeedsProcessingWaitsForItAndSoDoesWhatWasAddedLater) {
  scripts.add({.times = 2, .fault = fake::Fault::garbledBody});
  scripts.add({.error = "lock_timeout"});
  EXPECT_FALSE(scripts.take(retrieveRecord, "pr_1", Moment::arrival));
  EXPECT_FALSE(scripts.take(retrieveRecord, "pr_1", Moment::arrival));
  EXPECT_EQ(scripts.unfired().front().times, 2);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(scripts.take(retrieveRecord, "pr_1", Moment::answered).value().kind, fake::Fault::garbledBody);
  EXPECT_FALSE(scripts.take(retrieveRecord, "pr_1", Moment::answered)) << "it takes the place of processing";
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "lock_timeout");
}

TEST_F(ScriptsTest, AnErrorAfterProcessingIsAnyServerError) {
  scripts.add({.fault = fake::Fault::errorAfterProcessing});
  scripts.add({.fault = fake::Fault::errorAfterProcessing, .answer = HttpResponse{.status = 503}});
  EXPECT_EQ(describe(scripts.unfired().back()), "any operation: error after processing (1 time left)");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "api_error");
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "503");
  refused({.fault = fake::Fault::errorAfterProcessing, .answer = HttpResponse{.status = 499}},
          "an error after processing is a server error, so its status is at least 500");
  refused({.fault = fake::Fault::errorAfterProcessing, .error = "api_error"},
          "a script has one of a fault, an error and an answer");
  refused({.fault = fake::Fault::reset, .answer = HttpResponse{.status = 503}},
          "a script has one of a fault, an error and an answer");
}

TEST_F(ScriptsTest, AnEmptyPageIsForListsAndSearchesAlone) {
  scripts.add({.times = 2, .fault = fake::Fault::emptyPage});
  EXPECT_EQ(take(retrieveRecord, "pr_1"), "none");
  EXPECT_EQ(take(reportFailed, "pr_1"), "none");
  EXPECT_EQ(take("payment_records.list", ""), "empty page");
  EXPECT_EQ(take("payment_records.search", ""), "empty page");
  EXPECT_TRUE(scripts.unfired().empty());
}

TEST_F(ScriptsTest, AreRefusedWhereTheyCouldNeverFire) {
  refused({.error = "lock_timeoutt"}, "a script names an error 'lock_timeoutt' that does not exist");
  refused({.operation = "payment_records.report"},
          "a script names an operation 'payment_records.report' that does not exist");
  refused({.times = 0}, "a script must happen at least once");
  refused({.latency = std::chrono::seconds{-1}}, "a script can't shorten the time until a response");
  refused({.error = "lock_timeout", .rateLimitedReason = "global-rate"},
          "the scripted 'error lock_timeout' has no rate-limited reason");
  refused({.fault = fake::Fault::reset, .error = "lock_timeout"},
          "a script has one of a fault, an error and an answer");
  refused({.operation = std::string{retrieveRecord}, .fault = fake::Fault::emptyPage},
          "'payment_records.retrieve' has no pages that could be empty");
  EXPECT_TRUE(scripts.unfired().empty());
}

TEST_F(ScriptsTest, AreToldInWords) {
  EXPECT_EQ(describe({.operation = "payment_records.retrieve", .object = "pr_1", .error = "lock_timeout"}),
            "payment_records.retrieve of pr_1: error lock_timeout (1 time left)");
  EXPECT_EQ(describe({.times = 2, .fault = fake::Fault::connectionRefused}),
            "any operation: connection refused (2 times left)");
  EXPECT_EQ(describe({.latency = std::chrono::seconds{1}}), "any operation: latency (1 time left)");
}

}  // namespace

}  // namespace tally::fake::detail
