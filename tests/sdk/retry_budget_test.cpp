#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "call/retry_tokens.h"
#include "support.h"

namespace tally::test {
namespace {

using detail::RetryTokens;

int taken(RetryTokens& tokens) {
  int count = 0;
  while (tokens.take())
    ++count;
  return count;
}

TEST(RetryTokens, AreAsManyAsTheBudgetSays) {
  RetryTokens tokens{{.most = 3}};
  EXPECT_EQ(taken(tokens), 3);
}

TEST(RetryTokens, ComeBackByPartsWithCallsThatGoWell) {
  RetryTokens tokens{{.most = 3, .perSuccess = 0.25}};
  EXPECT_EQ(taken(tokens), 3);
  for (int i = 0; i < 3; ++i)
    tokens.succeeded();
  EXPECT_FALSE(tokens.take());
  tokens.succeeded();
  EXPECT_EQ(taken(tokens), 1);
}

TEST(RetryTokens, AreNeverMoreThanTheMost) {
  RetryTokens tokens{{.most = 2, .perSuccess = 1}};
  for (int i = 0; i < 10; ++i)
    tokens.succeeded();
  EXPECT_EQ(taken(tokens), 2);
}

TEST(RetryTokens, OfABudgetWithoutSenseAreNone) {
  RetryTokens tokens{{.most = -5, .perSuccess = -1}};
  tokens.succeeded();
  EXPECT_EQ(taken(tokens), 0);
}

TEST(RetryTokens, AreNotTakenTwiceByThreads) {
  RetryTokens tokens{{.most = 1'000}};
  std::vector<int> counts(4);
  {
    std::vector<std::jthread> threads;
    for (int& count : counts)
      threads.emplace_back([&] { count = taken(tokens); });
  }
  EXPECT_EQ(counts[0] + counts[1] + counts[2] + counts[3], 1'000);
}

/// A service that answers every request with a failure, and a client that may send each ten times more.
struct InTrouble : Harness {
  InTrouble() : Harness({.maxNetworkRetries = 10, .retryBudget = {.most = 4, .perSuccess = 0.5}}) {}

  /// How often a call is sent that never gets another answer.
  int attempts(const TransportResult& failure) {
    transport->answers.assign(11, failure);
    const Error error = client.paymentRecords().retrieve("pr_1").error();
    message = error.message();
    return error.attempts();
  }
  void succeed() {
    transport->answers.assign(1, ok(recordJson("pr_1")));
    EXPECT_TRUE(client.paymentRecords().retrieve("pr_1"));
  }

  std::string message{};
};

TEST(RetryBudget, IsSharedByTheCallsOfAClient) {
  InTrouble client;
  EXPECT_EQ(client.attempts(refused(500, "api_error")), 1 + 4);
  EXPECT_EQ(client.attempts(refused(500, "api_error")), 1);
}

TEST(RetryBudget, IsForEverythingThatTellsOfTrouble) {
  EXPECT_EQ(InTrouble{}.attempts(refused(503, "api_error")), 5);
  EXPECT_EQ(InTrouble{}.attempts(notSent()), 5);
  EXPECT_EQ(InTrouble{}.attempts(TransportFailure{TransportFailure::Kind::timeout, false, "late"}), 5);
}

TEST(RetryBudget, IsNotForLockTimeouts) {
  EXPECT_EQ(InTrouble{}.attempts(lockTimeout()), 11);
}

TEST(RetryBudget, ComesBackWithCallsThatGoWell) {
  InTrouble client;
  EXPECT_EQ(client.attempts(notSent()), 5);
  client.succeed();
  EXPECT_EQ(client.attempts(notSent()), 1);
  client.succeed();
  EXPECT_EQ(client.attempts(notSent()), 2);
}

TEST(RetryBudget, SaysThatItWasTheReason) {
  InTrouble client;
  (void)client.attempts(refused(500, "api_error"));
  EXPECT_NE(client.message.find("not retried: retry budget exhausted"), std::string::npos) << client.message;
  EXPECT_NE(client.message.find("No."), std::string::npos) << client.message;
}

TEST(RetryBudget, IsNotUsedWithoutConfiguredRetries) {
  InTrouble client;
  client.transport->answers.assign(3, refused(500, "api_error"));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(client.client.paymentRecords().retrieve("pr_1", {.maxNetworkRetries = 0}).error().message(),
              "No.");
  EXPECT_EQ(client.attempts(notSent()), 5);
}

}  // namespace
}  // namespace tally::test
