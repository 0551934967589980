// What the log keeps of a request and its response, and what a test can ask it.

#include <chrono>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/fake/service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/requests.h"

namespace tally::test {

namespace {

using fake::Count;
using fake::RequestPattern;
using fake::TextPattern;
using fake::Verification;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class VerificationTest : public testing::Test {
 protected:
  HttpResponse pay(const std::string& amount, const std::string& order = "1") {
    return one.post("/v1/payouts", "amount=" + amount + "&currency=eur&metadata[order]=" + order);
  }
  [[nodiscard]] Verification verify(const RequestPattern& pattern, const Count& expected) {
    return service.verify(pattern, expected);
  }

  OneAccount one{};
  fake::Service& service = one.service;
};

const RequestPattern fives{.operation = "payouts.create", .params = {{"amount", "500"}}};

TEST_F(VerificationTest, CountsAndListsWhatMatches) {
  (void)pay("500");
  (void)pay("600");
  (void)pay("500", "2");
  EXPECT_EQ(service.count(fives), 2U);
  EXPECT_EQ(service.count({}), 3U);
  const auto found = service.matching(fives);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].number, 1U);
  EXPECT_EQ(found[1].number, 3U);
  EXPECT_EQ(service.matching(fives, 1).front().number, 3U);
  EXPECT_EQ(service.matching(fives, 0, 1).back().number, 1U);
  EXPECT_THAT(service.matching(fives, 0, 0), IsEmpty());
}

TEST_F(VerificationTest, CountsInALongLog) {
  for (int i = 0; i < 600; ++i)
    (void)one.get("/v1/payouts?limit=" + std::to_string(i % 3 + 1));
  EXPECT_EQ(service.count({.params = {{"limit", "2"}}}), 200U);
  EXPECT_EQ(service.matching({.params = {{"limit", "2"}}}, 299, 2).front().number, 302U);
}

TEST_F(VerificationTest, ExpectsANumber) {
  (void)pay("500");
  (void)pay("500");
  EXPECT_FALSE(service.verify(fives));
  EXPECT_TRUE(verify(fives, Count::exactly(2)));
  EXPECT_FALSE(verify(fives, Count::exactly(3)));
  EXPECT_TRUE(verify(fives, Count::atLeast(2)));
  EXPECT_FALSE(verify(fives, Count::atLeast(3)));
  EXPECT_TRUE(verify(fives, Count::atMost(2)));
  EXPECT_FALSE(verify(fives, Count::atMost(1)));
  EXPECT_THAT(verify(fives, Count::exactly(2)).matching, ElementsAre(1U, 2U));
}

TEST_F(VerificationTest, ExplainsTheRequestsThatAlmostMatchAndTheClosestFirst) {
  (void)one.get("/v1/payouts");
  (void)pay("900", "7");
  (void)pay("50");
  (void)pay("510");
  (void)pay("510");
  const Verification failed = service.verify(
      {.operation = "payouts.create", .params = {{"amount", "500"}}, .metadata = {{"order", "1"}}});
  std::vector<std::uint64_t> closest;
  for (const fake::NearMiss& miss : failed.nearMisses)
    closest.push_back(miss.request.number);
  EXPECT_THAT(closest, ElementsAre(5U, 4U, 3U)) << "similar values, then the most recent";
  EXPECT_THAT(failed.nearMisses.front().differences,
              ElementsAre(fake::Difference{"parameter amount", R"("500")", R"("510")"}));
}

TEST_F(VerificationTest, PrefersTheSameOperation) {
  (void)pay("900", "7");
  (void)one.get("/v1/payouts?amount=500&metadata[order]=1");
  const Verification failed = service.verify(
      {.operation = "payouts.create", .params = {{"amount", "500"}}, .metadata = {{"order", "1"}}});
  EXPECT_EQ(failed.nearMisses.front().request.number, 1U) << "though the other differs in less";
  EXPECT_EQ(failed.nearMisses.size(), 2U);
}

TEST_F(VerificationTest, HasNoNearMissesIfTooManyMatch) {
  (void)pay("500");
  (void)pay("600");
  EXPECT_THAT(verify(fives, Count::atMost(0)).nearMisses, IsEmpty());
  EXPECT_THAT(verify(fives, Count::exactly(1)).nearMisses, IsEmpty());
}

TEST_F(VerificationTest, PrintsAllThatHelps) {
  (void)pay("510");
  std::ostringstream out;
  out << service.verify(fives);
  EXPECT_EQ(out.str(),
            "expected exactly 1 of payouts.create with parameter amount = \"500\"; 0 of the 1 logged "
            "requests match\nclose: 2026-01-01T00:00:00Z POST payouts.create: 200\n  parameter amount "
            "is \"510\", not \"500\"");
}

TEST_F(VerificationTest, SaysThatTheLogIsIncomplete) {
  fake::Service forgetful{{.requestLog = 1}};
  const std::string key = forgetful.addAccount().sandboxKey;
  for (int i = 0; i < 3; ++i)
    (void)forgetful.handle(get(key, "/v1/payouts"));
  const Verification verification = forgetful.verify({.operation = "payouts.list"}, Count::exactly(3));
  EXPECT_EQ(verification.dropped, 2U);
  std::ostringstream out;
  out << verification;
  EXPECT_THAT(out.str(), HasSubstr("the log has dropped 2 others"));
}

TEST_F(VerificationTest, RefusesAnOperationThatDoesNotExist) {
  try {
    (void)service.verify({.operation = "payout.create"}, Count::atMost(0));
    ADD_FAILURE();
  } catch (const std::invalid_argument& problem) {
    EXPECT_STREQ(problem.what(), "unknown operation 'payout.create'; did you mean 'payouts.create'?");
  }
  EXPECT_THROW((void)service.count({.operation = "x"}), std::invalid_argument);
  EXPECT_THROW((void)service.matching({.operation = "x"}), std::invalid_argument);
}

TEST_F(VerificationTest, FindsTheResponse) {
  const HttpResponse response = pay("500");
  EXPECT_EQ(service.requests().back().response, response);
  const std::string id = text(bodyOf(response).at("id"));
  EXPECT_EQ(service.count({.responseBody = TextPattern::containing(id)}), 1U);
  EXPECT_EQ(service.count({.status = 200}), 1U);
}

TEST_F(VerificationTest, LogsTheResponseAsItWasSent) {
  service.injectFault({.fault = fake::Fault::garbledBody, .headers = {{"X-A", "b"}}});
  const HttpResponse garbled = pay("500");
  EXPECT_EQ(service.requests().back().response, garbled);
  EXPECT_NE(garbled.header("X-A"), nullptr);
  service.injectFault({.fault = fake::Fault::responseLost});
  (void)pay("500");
  EXPECT_EQ(service.requests().back().response, std::nullopt);
  const HttpResponse found = one.get("/v1/invoices/search?query=created%3E0");
  EXPECT_EQ(service.requests().back().response, found) << "which is written without the lock";
  const HttpResponse refused = one.get("/v1/nowhere");
  EXPECT_EQ(service.requests().back().response, refused);
}

TEST_F(VerificationTest, LogsWhichFaultHappened) {
  const std::uint64_t id = service.injectFault({.latency = 2s});
  (void)pay("500");
  EXPECT_EQ(service.requests().back().faultId, id);
  EXPECT_EQ(service.requests().back().addedLatency, 2s);
  (void)pay("500");
  EXPECT_EQ(service.requests().back().faultId, 0U);
  EXPECT_EQ(service.requests().back().addedLatency, 0s);
}

TEST_F(VerificationTest, StartsAgainWithAnEmptyLog) {
  (void)pay("500");
  (void)pay("500");
  service.clearRequests();
  EXPECT_THAT(service.requests(), IsEmpty());
  EXPECT_EQ(service.droppedRequests(), 0U);
  EXPECT_EQ(service.count({}), 0U);
  (void)pay("500");
  EXPECT_EQ(service.requests().back().number, 3U) << "numbers continue";
  EXPECT_EQ(service.requests(2).size(), 1U);
  EXPECT_EQ(service.requests(3).size(), 0U);
  EXPECT_EQ(service.count(fives), 1U);
}

}  // namespace

}  // namespace tally::test
