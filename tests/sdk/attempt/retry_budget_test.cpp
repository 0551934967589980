#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "attempt/retry_tokens.h"
#include "sdk/support/harness.h"

namespace tally::test {
namespace {

using detail::RetryTokens;

int taken(RetryTokens& tokens) {
  int count = 0;
  while (tokens.take())
    ++count;
  return count;
}

TEST(RetryTokens, InitiallyMatchTheMaximumOfTheBudget) {
  RetryTokens tokens{{.maxTokens = 3}};
  EXPECT_EQ(taken(tokens), 3);
}

TEST(RetryTokens, AreRefilledGraduallyBySuccesses) {
  RetryTokens tokens{{.maxTokens = 3, .tokensPerSuccess = 0.25}};
  EXPECT_EQ(taken(tokens), 3);
  for (int i = 0; i < 3; ++i)
    tokens.succeeded();
  EXPECT_FALSE(tokens.take());
  tokens.succeeded();
  EXPECT_EQ(taken(tokens), 1);
}

TEST(RetryTokens, NeverExceedTheMaximumWhenRefilled) {
  RetryTokens tokens{{.maxTokens = 2, .tokensPerSuccess = 1}};
  for (int i = 0; i < 10; ++i)
    tokens.succeeded();
  EXPECT_EQ(taken(tokens), 2);
}

TEST(RetryTokens, CannotBeTakenFromANegativeBudget) {
  RetryTokens tokens{{.maxTokens = -5, .tokensPerSuccess = -1}};
  tokens.succeeded();
  EXPECT_EQ(taken(tokens), 0);
}

TEST(RetryTokens, AreEachTakenByOnlyOneThread) {
  RetryTokens tokens{{.maxTokens = 1'000}};
  std::vector<int> counts(4);
  {
    std::vector<std::jthread> threads;
    for (int& count : counts)
      threads.emplace_back([&] { count = taken(tokens); });
  }
  EXPECT_EQ(counts[0] + counts[1] + counts[2] + counts[3], 1'000);
}

/// A service that responds to every request with a failure, and a client with up to ten retries per call.
struct InTrouble : Harness {
  InTrouble()
      : Harness({.maxNetworkRetries = 10, .retryBudget = {.maxTokens = 4, .tokensPerSuccess = 0.5}}) {}

  /// The number of attempts of a call that gets only this response.
  int attempts(const TransportResult& failure) {
    transport->responses.assign(11, failure);
    const Error error = client.paymentRecords().retrieve("pr_1").error();
    message = error.message();
    return error.attemptCount();
  }
  void succeed() {
    transport->responses.assign(1, ok(recordJson("pr_1")));
    EXPECT_TRUE(client.paymentRecords().retrieve("pr_1"));
  }

  std::string message{};
};

TEST(RetryBudget, IsSharedByTheCallsOfAClient) {
  InTrouble client;
  EXPECT_EQ(client.attempts(refused(500, "api_error")), 1 + 4);
  EXPECT_EQ(client.attempts(refused(500, "api_error")), 1);
}

TEST(RetryBudget, AppliesToServerErrorsAndTransportFailures) {
  EXPECT_EQ(InTrouble{}.attempts(refused(503, "api_error")), 5);
  EXPECT_EQ(InTrouble{}.attempts(notSent()), 5);
  EXPECT_EQ(InTrouble{}.attempts(TransportFailure{TransportFailure::Kind::timeout, false, "late"}), 5);
}

TEST(RetryBudget, IgnoresLockTimeouts) {
  EXPECT_EQ(InTrouble{}.attempts(lockTimeout()), 11);
}

TEST(RetryBudget, IsRefilledBySuccesses) {
  InTrouble client;
  EXPECT_EQ(client.attempts(notSent()), 5);
  client.succeed();
  EXPECT_EQ(client.attempts(notSent()), 1);
  client.succeed();
  EXPECT_EQ(client.attempts(notSent()), 2);
}

TEST(RetryBudget, IsMentionedInTheErrorWhenExhausted) {
  InTrouble client;
  (void)client.attempts(refused(500, "api_error"));
  EXPECT_NE(client.message.find("not retried: retry budget exhausted"), std::string::npos) << client.message;
  EXPECT_NE(client.message.find("No."), std::string::npos) << client.message;
}

TEST(RetryBudget, IsNotUsedIfRetriesAreDisabled) {
  InTrouble client;
  client.transport->responses.assign(3, refused(500, "api_error"));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(client.client.paymentRecords().retrieve("pr_1", {.maxNetworkRetries = 0}).error().message(),
              "No.");
  EXPECT_EQ(client.attempts(notSent()), 5);
}

}  // namespace
}  // namespace tally::test
