// Spec: "Errors": a test for each row of its tables.

#include "conformance/support/conformance.h"

namespace tally::conformance {
namespace {

class Errors : public Conformance {
 protected:
  Id<PaymentRecord> id = insert().id;

  Result<PaymentRecord> report(const RequestOptions& options = {}) {
    return records.reportFailed(id, {.failedAt = reportTime}, options);
  }
  void refuseNext(const std::string& reason) {
    service.faults().inject({.error = "rate_limit", .rateLimitedReason = reason});
  }
};

using RateLimitError = Errors;
using LockTimeout = Errors;

TEST_F(RateLimitError, HasStatus429AndAReason) {
  refuseNext("endpoint-rate");
  const Error error = report().error();
  EXPECT_EQ(error.kind(), ErrorKind::rateLimited);
  EXPECT_EQ(error.status(), 429);
  EXPECT_EQ(error.rateLimitedReason(), RateLimitedReason::endpointRate);
  EXPECT_EQ(error.effect(), Effect::none);
}

TEST_F(LockTimeout, HasStatus429AndACodeButNoRequestIdOrReason) {
  service.faults().inject({.object = id.str(), .error = "lock_timeout"});
  const Error error = report().error();
  EXPECT_EQ(error.kind(), ErrorKind::lockTimeout);
  EXPECT_EQ(error.status(), 429);
  EXPECT_EQ(error.code(), "lock_timeout");
  EXPECT_EQ(error.requestId(), "");
  EXPECT_FALSE(error.rateLimitedReason());
  EXPECT_NE(
      error.message().find("cannot be accessed right now because another request or process is using it"),
      std::string::npos);
}

TEST_F(LockTimeout, LeavesTheRequestUnprocessed) {
  service.faults().inject({.object = id.str(), .error = "lock_timeout"});
  EXPECT_FALSE(report());
  EXPECT_EQ(service.objects().stateOf(key, id.str()), "unreported");
  EXPECT_EQ(records.retrieve(id).value().amountFailed.value, 0);
}

TEST_F(LockTimeout, IsNotReportedAsARateLimit) {
  service.faults().inject({.object = id.str(), .error = "lock_timeout"});
  EXPECT_NE(report().error().kind(), ErrorKind::rateLimited);
}

TEST_F(Errors, AreReturnedForAReportOnAGuaranteedAttempt) {
  (void)records.reportGuaranteed(id, {.guaranteedAt = reportTime}).value();
  EXPECT_EQ(report().error().code(), error_code::paymentAttemptAlreadyGuaranteed);
}

/// Each value of `Service-Rate-Limited-Reason`, from a limit that has this reason.
class Reasons : public Errors {
 protected:
  /// The error of a call that one limit refuses.
  Error refusedBy(const std::string& limit, std::int64_t number = 0) {
    service.limits().set({.limit = limit, .value = number});
    const Error error = report().error();
    EXPECT_EQ(error.kind(), ErrorKind::rateLimited);
    EXPECT_EQ(error.status(), 429);
    EXPECT_EQ(error.code(), error_code::rateLimit);
    EXPECT_EQ(error.effect(), Effect::none);
    EXPECT_TRUE(error.requestId().starts_with("req_"));
    EXPECT_EQ(service.requests().list().back().limit, limit);
    EXPECT_EQ(service.objects().stateOf(key, id.str()), "unreported");
    return error;
  }
};

TEST_F(Reasons, IncludeTheGlobalRate) {
  EXPECT_EQ(refusedBy("global_rate").rateLimitedReason(), RateLimitedReason::globalRate);
}

TEST_F(Reasons, IncludeTheEndpointRate) {
  EXPECT_EQ(refusedBy("endpoint_rate").rateLimitedReason(), RateLimitedReason::endpointRate);
}

TEST_F(Reasons, IncludeTheGlobalConcurrency) {
  const auto held = service.holds().takeConcurrency(key, "");
  EXPECT_EQ(refusedBy("global_concurrency", 1).rateLimitedReason(), RateLimitedReason::globalConcurrency);
}

TEST_F(Reasons, IncludeTheEndpointConcurrency) {
  const auto held = service.holds().takeConcurrency(key, "payment_records.report_failed");
  EXPECT_EQ(refusedBy("endpoint_concurrency", 1).rateLimitedReason(), RateLimitedReason::endpointConcurrency);
}

/// The example in the row: the endpoints that create and update subscriptions.
TEST_F(Reasons, IncludeResourceSpecificLimits) {
  service.limits().set({.limit = "quantity_updates", .value = 0});
  const auto subscription = service.insert<Subscription>(key);
  const Error error = client.subscriptions().update(subscription.id, {.quantity = 7}).error();
  EXPECT_EQ(error.kind(), ErrorKind::rateLimited);
  EXPECT_EQ(error.rateLimitedReason(), RateLimitedReason::resourceSpecific);
  EXPECT_EQ(client.subscriptions().retrieve(subscription.id).value(), subscription);
}

TEST_F(Reasons, AreKeptEvenWhenUnknown) {
  refuseNext("moon-phase");
  EXPECT_EQ(report().error().rateLimitedReason()->str(), "moon-phase");
}

TEST_F(LockTimeout, IsRecognizedByItsCodeRatherThanByAMissingReason) {
  refuseNext("");
  EXPECT_EQ(report().error().kind(), ErrorKind::tooManyRequests);
  const auto lock = service.holds().lockObject(key, id.str());
  EXPECT_EQ(report().error().kind(), ErrorKind::lockTimeout);
}

TEST_F(LockTimeout, DoesNotOccurInSerialCallsOnOneObject) {
  for (int i = 0; i < 50; ++i)
    EXPECT_TRUE(report());
  EXPECT_EQ(client.clock().now(),
            service.requests().list().front().time + std::chrono::milliseconds{50 * 50});
}

TEST_F(LockTimeout, IsRetriedWithExponentialBackoffAndJitter) {
  service.faults().inject({.object = id.str(), .times = 3, .error = "lock_timeout"});
  const Instant start = service.clock()->now();
  ASSERT_TRUE(report({.maxNetworkRetries = 3}));
  const auto waited = service.clock()->now() - start;
  EXPECT_GE(waited, std::chrono::milliseconds{250 + 500 + 1'000});
  EXPECT_LE(waited, std::chrono::milliseconds{500 + 1'000 + 2'000});
  EXPECT_NE(waited, std::chrono::milliseconds{500 + 1'000 + 2'000});
}

TEST_F(LockTimeout, IsRetriedIfRetriesAreEnabled) {
  service.faults().inject({.object = id.str(), .times = 2, .error = "lock_timeout"});
  EXPECT_TRUE(report({.maxNetworkRetries = 2}));
  EXPECT_EQ(service.objects().stateOf(key, id.str()), "failed");
  std::vector<int> statuses;
  for (const auto& request : service.requests().list())
    statuses.push_back(request.status);
  EXPECT_EQ(statuses, (std::vector<int>{429, 429, 200}));
}

TEST_F(LockTimeout, IsNotRetriedByDefault) {
  service.faults().inject({.object = id.str(), .error = "lock_timeout"});
  EXPECT_EQ(report().error().kind(), ErrorKind::lockTimeout);
  EXPECT_EQ(service.requests().size(), 1U);
}

TEST_F(Errors, HaveARequestIdIfTheObjectIsMissing) {
  const Error error = records.retrieve("pr_nobody").error();
  EXPECT_EQ(error.kind(), ErrorKind::notFound);
  EXPECT_TRUE(error.requestId().starts_with("req_"));
}

TEST_F(Errors, HaveStatus401IfTheKeyIsMissingOrUnknown) {
  EXPECT_EQ(records.retrieve(id, {.apiKey = "sk_test_nobody"}).error().kind(), ErrorKind::authentication);
  const HttpResponse response = service.handle({.url = "https://service.test/v1/payment_records"});
  EXPECT_EQ(response.status, 401);
}

TEST_F(Errors, HaveStatus403IfTheAccountIsNotConnected) {
  const auto other = service.addAccount();
  const Error error = records.retrieve(id, {.connectedAccount = other.id}).error();
  EXPECT_EQ(error.kind(), ErrorKind::permission);
  EXPECT_EQ(error.status(), 403);
}

TEST_F(Errors, DoNotOccurWhenAPlatformReadsForItsConnectedAccount) {
  const auto other = service.addAccount();
  const auto theirs = service.insert<PaymentRecord>(other.sandboxKey);
  service.connections().connect(account, other);
  EXPECT_EQ(records.retrieve(theirs.id).error().kind(), ErrorKind::notFound);
  EXPECT_TRUE(records.retrieve(theirs.id, {.connectedAccount = other.id}));
}

}  // namespace
}  // namespace tally::conformance
