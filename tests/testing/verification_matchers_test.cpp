#include <algorithm>
#include <string>

#include <tally/fake/service.h>
#include <tally/tally.h>
#include <tally/testing/log_matchers.h>
#include <tally/testing/request_matchers.h>
#include <tally/testing/verification_matchers.h>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "failure.h"

namespace {

using namespace tally::testing;
using tally::HttpRequest;
using tally::fake::Count;
using tally::fake::LoggedRequest;
using tally::fake::Service;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class VerificationMatchers : public testing::Test {
 protected:
  void pay(std::int64_t amount) {
    ASSERT_TRUE(
        client.payouts().create({.amount = amount, .currency = "eur", .metadata = {{"order", "42"}}}));
  }

  Service service{};
  const tally::Client client{service.clientOptions(service.addAccount().sandboxKey)};
};

TEST_F(VerificationMatchers, CountReceivedRequests) {
  pay(500);
  pay(600);
  EXPECT_THAT(service, Received({.params = {{"amount", "500"}}}));
  EXPECT_THAT(service, Received({.operation = "payouts.create"}, Count::exactly(2)));
  EXPECT_THAT(service, Received({.operation = "payouts.create"}, 2));
  EXPECT_THAT(service, Received({.operation = "payouts.list"}, Count::atMost(0)));
  EXPECT_THAT(service, Not(Received({.operation = "payouts.create"}, Count::atLeast(3))));
}

TEST_F(VerificationMatchers, CountRequestsThatTookEffectDespiteLostResponses) {
  service.faults().inject({.operation = "payouts.create", .error = "lock_timeout"});
  service.faults().inject({.operation = "payouts.create", .fault = tally::fake::Fault::responseLost});
  (void)client.payouts().create({.amount = 500, .currency = "eur"});
  (void)client.payouts().create({.amount = 500, .currency = "eur"});
  const auto created = Received({.operation = "payouts.create", .processed = true});
  EXPECT_THAT(service, created);
  EXPECT_THAT(service, Received({.operation = "payouts.create", .status = 0, .processed = true}));
  EXPECT_THAT(service, Received({.operation = "payouts.create", .processed = false}));
  EXPECT_EQ(descriptionOf<Service>(created), "received exactly 1 of payouts.create with an effect");
}

TEST_F(VerificationMatchers, ExplainNearMisses) {
  pay(510);
  const auto wanted = Received({.operation = "payouts.create", .params = {{"amount", "500"}}});
  EXPECT_EQ(
      explanationOf(service, wanted),
      "expected exactly 1 of payouts.create with parameter amount = \"500\"; 0 of the 1 logged requests "
      "match\nclose: 2026-01-01T00:00:00Z POST payouts.create: 200\n  parameter amount is \"510\", not "
      "\"500\"");
  EXPECT_EQ(descriptionOf<Service>(wanted),
            "received exactly 1 of payouts.create with parameter amount = \"500\"");
  EXPECT_EQ(descriptionOf<Service>(Not(wanted)),
            "didn't receive exactly 1 of payouts.create with parameter amount = \"500\"");
  EXPECT_EQ(testing::PrintToString(service), "a service with 1 logged request");
}

TEST_F(VerificationMatchers, ListTheMatchesIfTooManyRequestsMatch) {
  pay(500);
  pay(610);
  pay(500);
  EXPECT_EQ(explanationOf(service, Received({.params = {{"amount", "500"}}})),
            "expected exactly 1 of any operation with parameter amount = \"500\"; 2 of the 3 logged requests "
            "match\nmatches: 2026-01-01T00:00:00Z POST payouts.create: 200\nmatches: "
            "2026-01-01T00:00:00.1Z POST payouts.create: 200");
}

TEST_F(VerificationMatchers, ListAtMostTenMatches) {
  for (int n = 0; n < 11; ++n)
    pay(500);
  const std::string explanation = explanationOf(service, Received({.operation = "payouts.create"}));
  EXPECT_EQ(std::ranges::count(explanation, '\n'), 10) << explanation;
}

/// A matcher can't say that it does not know, and what is negated would match.
TEST(MatchersOfAnIncompleteLog, FailEvenWhenNegated) {
  static Service small{{.requestLog = 1}};
  const tally::Client client{small.clientOptions(small.addAccount().sandboxKey)};
  for (int n = 0; n < 2; ++n)
    ASSERT_TRUE(client.payouts().create({.amount = 500, .currency = "eur"}));
  static const auto none = Received({.operation = "payouts.list"}, Count::exactly(0));
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(small, Not(none)), "it lacks 1 request,");
  EXPECT_THAT(small, Received({.operation = "payouts.create"}, Count::atLeast(1)));
  EXPECT_THAT(small, Not(Received({.operation = "payouts.create"}, Count::exactly(0))));
}

TEST(MatchersOfADroppedResponse, FailEvenWhenNegated) {
  static const LoggedRequest dropped{.number = 7, .status = 200, .responseMissing = true};
  const char* const reason = "the log lacks the response of request 7";
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(dropped, Not(IsRequest({.responseBody = "x"}))), reason);
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(dropped, Not(HasResponseBody("x"))), reason);
  EXPECT_THAT(dropped, Not(IsRequest({.status = 400, .responseBody = "x"})));
  EXPECT_THAT(dropped, IsRequest({.status = 200}));
}

TEST_F(VerificationMatchers, MatchALoggedRequest) {
  pay(500);
  EXPECT_THAT(service.requests().list(), Contains(IsRequest({.metadata = {{"order", "42"}}})));
  const LoggedRequest logged = service.requests().list().front();
  EXPECT_EQ(explanationOf(logged, IsRequest({.params = {{"amount", "1"}}, .status = 400})),
            "whose parameter amount is \"500\", not \"1\", whose status is 200, not 400");
  EXPECT_EQ(descriptionOf<LoggedRequest>(IsRequest({.status = 400})), "is any operation with status 400");
}

TEST_F(VerificationMatchers, CompareMetadataAndBodies) {
  pay(500);
  const LoggedRequest logged = service.requests().list().front();
  EXPECT_THAT(logged, AllOf(HasMetadata("order", "42"), HasMetadata("order"), Not(HasMetadata("order", "4")),
                            Not(HasMetadata("shop")), HasBody(HasSubstr("amount=500")),
                            HasResponseBody(HasSubstr("\"payout\"")), Not(HasResponseBody("{}"))));
  EXPECT_EQ(explanationOf(logged, HasMetadata("order", "7")), R"(whose metadata order is "42")");
  EXPECT_EQ(explanationOf(logged, HasMetadata("shop")), "which has no metadata shop");
  EXPECT_EQ(explanationOf(HttpRequest{.body = "a"}, HasBody("b")), R"(whose body is "a")");
  EXPECT_EQ(explanationOf(LoggedRequest{}, HasResponseBody("b")), R"(whose response body is "")");
}

}  // namespace
