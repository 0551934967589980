// What the log keeps of a request and its response, and what a test can ask it.

#include <algorithm>
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
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class VerificationTest : public testing::Test {
 protected:
  HttpResponse pay(const std::string& amount, const std::string& order = "1") {
    return one.post("/v1/payouts", "amount=" + amount + "&currency=eur&metadata[order]=" + order);
  }
  [[nodiscard]] Verification verify(const RequestPattern& pattern, const Count& expected) {
    return service.requests().verify(pattern, expected);
  }

  OneAccount one{};
  fake::Service& service = one.service;
};

const RequestPattern fives{.operation = "payouts.create", .params = {{"amount", "500"}}};

TEST_F(VerificationTest, IsNotOkIfNothingWasVerified) {
  EXPECT_FALSE(Verification{});
}

TEST_F(VerificationTest, CountsAndListsMatches) {
  (void)pay("500");
  (void)pay("600");
  (void)pay("500", "2");
  EXPECT_EQ(service.requests().count(fives), 2U);
  EXPECT_EQ(service.requests().count({}), 3U);
  const auto found = service.requests().matching(fives);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].number, 1U);
  EXPECT_EQ(found[1].number, 3U);
  EXPECT_EQ(service.requests().matching(fives, 1).front().number, 3U);
  EXPECT_EQ(service.requests().matching(fives, 0, 1).back().number, 1U);
  EXPECT_THAT(service.requests().matching(fives, 0, 0), IsEmpty());
}

TEST_F(VerificationTest, CountsMatchesInALongLog) {
  for (int i = 0; i < 600; ++i)
    (void)one.get("/v1/payouts?limit=" + std::to_string(i % 3 + 1));
  EXPECT_EQ(service.requests().count({.params = {{"limit", "2"}}}), 200U);
  EXPECT_EQ(service.requests().matching({.params = {{"limit", "2"}}}, 299, 2).front().number, 302U);
}

TEST_F(VerificationTest, SucceedsOnlyWithTheExpectedCount) {
  (void)pay("500");
  (void)pay("500");
  EXPECT_FALSE(service.requests().verify(fives));
  EXPECT_TRUE(verify(fives, Count::exactly(2)));
  EXPECT_FALSE(verify(fives, Count::exactly(3)));
  EXPECT_TRUE(verify(fives, Count::atLeast(2)));
  EXPECT_FALSE(verify(fives, Count::atLeast(3)));
  EXPECT_TRUE(verify(fives, Count::atMost(2)));
  EXPECT_FALSE(verify(fives, Count::atMost(1)));
  EXPECT_THAT(verify(fives, Count::exactly(2)).matching, ElementsAre(1U, 2U));
}

TEST_F(VerificationTest, ExplainsTheClosestNearMissesFirst) {
  (void)one.get("/v1/payouts");
  (void)pay("900", "7");
  (void)pay("510");
  (void)pay("510");
  (void)pay("9");
  const Verification failed = service.requests().verify(
      {.operation = "payouts.create", .params = {{"amount", "500"}}, .metadata = {{"order", "1"}}});
  std::vector<std::uint64_t> closest;
  for (const fake::NearMiss& miss : failed.nearMisses)
    closest.push_back(miss.request.number);
  EXPECT_THAT(closest, ElementsAre(4U, 3U, 5U)) << "similar values, then the most recent";
  EXPECT_THAT(failed.nearMisses.front().differences,
              ElementsAre(fake::Difference{"parameter amount", R"("500")", R"("510")"}));
}

TEST_F(VerificationTest, PrefersNearMissesOfTheSameOperation) {
  (void)pay("900", "7");
  (void)one.get("/v1/payouts?amount=500&metadata[order]=1");
  const Verification failed = service.requests().verify(
      {.operation = "payouts.create", .params = {{"amount", "500"}}, .metadata = {{"order", "1"}}});
  EXPECT_EQ(failed.nearMisses.front().request.number, 1U) << "though the other differs in less";
  EXPECT_EQ(failed.nearMisses.size(), 2U);
}

TEST_F(VerificationTest, ListsNoNearMissesIfTooManyRequestsMatch) {
  (void)pay("500");
  (void)pay("600");
  EXPECT_THAT(verify(fives, Count::atMost(0)).nearMisses, IsEmpty());
  EXPECT_THAT(verify(fives, Count::exactly(1)).nearMisses, IsEmpty());
}

TEST_F(VerificationTest, PrintsTheExpectedAndActualCountsAndNearMisses) {
  (void)pay("510");
  std::ostringstream out;
  out << service.requests().verify(fives);
  EXPECT_EQ(out.str(),
            "expected exactly 1 of payouts.create with parameter amount = \"500\"; 0 of the 1 logged "
            "requests match\nclose: 2026-01-01T00:00:00Z POST payouts.create: 200\n  parameter amount "
            "is \"510\", not \"500\"");
}

TEST_F(VerificationTest, ReportsHowManyRequestsTheLogDropped) {
  fake::Service forgetful{{.requestLog = 1}};
  const std::string key = forgetful.addAccount().sandboxKey;
  for (int i = 0; i < 3; ++i)
    (void)forgetful.handle(get(key, "/v1/payouts"));
  const Verification verification =
      forgetful.requests().verify({.operation = "payouts.list"}, Count::exactly(3));
  EXPECT_EQ(verification.dropped, 2U);
  std::ostringstream out;
  out << verification;
  EXPECT_THAT(out.str(), HasSubstr("the log has dropped 2 others"));
}

/// A service that has received several requests, and has dropped the oldest ones or their responses.
class IncompleteLog : public testing::Test {
 protected:
  static constexpr std::uint64_t all = 5;

  explicit IncompleteLog(fake::ServiceOptions options = {.requestLog = 2}) : service(options) {
    for (std::uint64_t n = 0; n < all; ++n)
      (void)service.handle(post(key, "/v1/payouts", "amount=5&currency=eur"));
  }
  [[nodiscard]] Verification verify(const Count& expected, std::uint64_t after = 0) const {
    return service.requests().verify(pattern, expected, after);
  }
  static std::string printed(const Verification& verification) {
    std::ostringstream out;
    out << verification;
    return out.str();
  }

  fake::Service service;
  std::string key = service.addAccount().sandboxKey;
  RequestPattern pattern{.operation = "payouts.create"};
};

TEST_F(IncompleteLog, CannotProveAnUpperBoundThatDroppedRequestsCouldExceed) {
  for (const Count& expected : {Count::exactly(2), Count::exactly(3), Count::exactly(5), Count::atMost(2),
                                Count::atMost(4), Count::between(1, 4)}) {
    EXPECT_FALSE(verify(expected)) << expected;
    EXPECT_FALSE(verify(expected).isDecided()) << expected;
  }
  pattern.operation = "payouts.list";
  EXPECT_FALSE(verify(Count::exactly(0)));
  EXPECT_THAT(
      printed(verify(Count::exactly(0))),
      HasSubstr("\nThe log can't decide this, because it lacks 3 requests, which may match. Clear the log "
                "before the requests that matter, or keep more: ServiceOptions::requestLog and"));
}

TEST_F(IncompleteLog, IsConclusiveWhenDroppedRequestsMakeNoDifference) {
  for (const Count& expected : {Count::atLeast(1), Count::atLeast(2), Count::between(1, 5), Count::atMost(5)})
    EXPECT_TRUE(verify(expected)) << expected;
  for (const Count& expected : {Count::exactly(0), Count::atMost(1), Count::exactly(6), Count::atLeast(6)}) {
    EXPECT_FALSE(verify(expected)) << expected;
    EXPECT_TRUE(verify(expected).isDecided()) << expected;
    EXPECT_THAT(printed(verify(expected)), Not(HasSubstr("can't decide")));
  }
}

TEST_F(IncompleteLog, IsConclusiveAboutRequestsAfterTheDroppedOnes) {
  EXPECT_EQ(verify(Count::exactly(2), 2).dropped, 1U);
  EXPECT_FALSE(verify(Count::exactly(2), 2));
  EXPECT_TRUE(verify(Count::exactly(2), 3));
  EXPECT_TRUE(verify(Count::exactly(1), 4));
  EXPECT_TRUE(verify(Count::exactly(0), 5));
  EXPECT_TRUE(verify(Count::exactly(0), 500));
  service.requests().clear();
  EXPECT_TRUE(verify(Count::exactly(0)));
  for (int n = 0; n < 3; ++n)
    (void)service.handle(get(key, "/v1/payouts"));
  EXPECT_EQ(verify(Count::exactly(0)).dropped, 1U) << "since it was cleared";
  EXPECT_EQ(verify(Count::exactly(0), all).dropped, 1U);
  EXPECT_TRUE(verify(Count::exactly(0), all + 1));
}

TEST(DisabledLog, ProvesOnlyAnUpperBoundOnTheNumberOfRequests) {
  fake::Service service{{.requestLog = 0}};
  EXPECT_TRUE(service.requests().verify({}, Count::exactly(0)));
  (void)service.handle(get(service.addAccount().sandboxKey, "/v1/payouts"));
  EXPECT_FALSE(service.requests().verify({.operation = "files.list"}, Count::exactly(0)));
  EXPECT_TRUE(service.requests().verify({}, Count::atMost(1)));
}

/// The log has room for some of the responses.
class LogWithDroppedResponses : public IncompleteLog {
 protected:
  LogWithDroppedResponses() : IncompleteLog({.requestLogBytes = 1'500}) {}

  std::size_t kept() {
    return static_cast<std::size_t>(std::ranges::count_if(
        service.requests().list(), [](const auto& request) { return !request.responseMissing; }));
  }
};

TEST_F(LogWithDroppedResponses, IsInconclusiveWhenADroppedResponseCouldMatch) {
  ASSERT_EQ(service.requests().droppedCount(), 0U);
  ASSERT_GT(kept(), 0U);
  ASSERT_LT(kept(), all);
  const auto cases = {RequestPattern{.responseBody = TextPattern::containing("po_")},
                      RequestPattern{.responseBody = TextPattern::any()},
                      RequestPattern{.text = "\"object\":\"payout\""}};
  for (const RequestPattern& each : cases) {
    pattern = each;
    EXPECT_EQ(service.requests().count(each), kept()) << each;
    EXPECT_EQ(verify(Count::exactly(kept())).unknown, all - kept()) << each;
    EXPECT_FALSE(verify(Count::exactly(kept()))) << each;
    EXPECT_TRUE(verify(Count::atLeast(kept()))) << each;
    EXPECT_TRUE(verify(Count::atMost(all))) << each;
  }
  EXPECT_THAT(printed(verify(Count::exactly(all))),
              AllOf(HasSubstr("it lacks the responses of " + std::to_string(all - kept()) + " requests"),
                    HasSubstr("requestLogBytes"),
                    HasSubstr("text is unknown, since the log lacks the response, not containing")));
  pattern = {.responseBody = TextPattern::absent()};
  EXPECT_FALSE(verify(Count::exactly(all - kept()))) << "a response that was dropped is not absent";
  EXPECT_EQ(service.requests().count(pattern), 0U);
}

TEST_F(LogWithDroppedResponses, IsConclusiveForPatternsThatDoNotNeedAResponse) {
  EXPECT_TRUE(verify(Count::exactly(all)));
  pattern.text = "amount=5";
  EXPECT_TRUE(verify(Count::exactly(all)));
  pattern = {.operation = "files.list", .responseBody = TextPattern::any()};
  EXPECT_TRUE(verify(Count::exactly(0))) << "another part differs";
  pattern = {.operation = "payouts.create", .responseBody = TextPattern::any()};
  EXPECT_TRUE(verify(Count::exactly(1), all - 1));
}

/// A change listener is called before the response of a search is made.
TEST_F(VerificationTest, DoesNotKnowTheResponseOfASearchInProgress) {
  std::vector<bool> missing;
  std::vector<std::size_t> unknown;
  const auto listening = service.onChange([&] {
    if (service.requests().list().empty()) return;
    missing.push_back(service.requests().list().back().responseMissing);
    unknown.push_back(verify({.responseBody = TextPattern::any()}, Count::exactly(1)).unknown);
  });
  (void)one.get("/v1/invoices/search?query=created%3E0");
  EXPECT_THAT(missing, ElementsAre(true, false));
  EXPECT_THAT(unknown, ElementsAre(1U, 0U));
}

TEST_F(VerificationTest, TreatsALostResponseAsAbsent) {
  service.faults().inject({.fault = fake::Fault::responseLost});
  (void)pay("500");
  EXPECT_FALSE(service.requests().list().back().responseMissing);
  EXPECT_TRUE(verify({.responseBody = TextPattern::any()}, Count::exactly(0)));
  (void)one.get("/v1/invoices/search?query=created%3E0");
  EXPECT_FALSE(service.requests().list().back().responseMissing);
  EXPECT_TRUE(verify({.responseBody = TextPattern::any()}, Count::exactly(1)));
}

TEST_F(VerificationTest, RefusesAnUnknownOperation) {
  try {
    (void)service.requests().verify({.operation = "payout.create"}, Count::atMost(0));
    ADD_FAILURE();
  } catch (const std::invalid_argument& problem) {
    EXPECT_STREQ(problem.what(), "unknown operation 'payout.create'; did you mean 'payouts.create'?");
  }
  EXPECT_THROW((void)service.requests().count({.operation = "x"}), std::invalid_argument);
  EXPECT_THROW((void)service.requests().matching({.operation = "x"}), std::invalid_argument);
}

TEST_F(VerificationTest, MatchesTheBodyAndStatusOfAResponse) {
  const HttpResponse response = pay("500");
  EXPECT_EQ(service.requests().list().back().response, response);
  const std::string id = text(bodyOf(response).at("id"));
  EXPECT_EQ(service.requests().count({.responseBody = TextPattern::containing(id)}), 1U);
  EXPECT_EQ(service.requests().count({.status = 200}), 1U);
}

using LoggedRequests = VerificationTest;

TEST_F(LoggedRequests, IncludeTheResponseAsSent) {
  service.faults().inject({.fault = fake::Fault::garbledBody, .headers = {{"X-A", "b"}}});
  const HttpResponse garbled = pay("500");
  EXPECT_EQ(service.requests().list().back().response, garbled);
  EXPECT_NE(garbled.header("X-A"), nullptr);
  service.faults().inject({.fault = fake::Fault::responseLost});
  (void)pay("500");
  EXPECT_EQ(service.requests().list().back().response, std::nullopt);
  const HttpResponse found = one.get("/v1/invoices/search?query=created%3E0");
  EXPECT_EQ(service.requests().list().back().response, found) << "which is written without the lock";
  const HttpResponse refused = one.get("/v1/nowhere");
  EXPECT_EQ(service.requests().list().back().response, refused);
}

TEST_F(LoggedRequests, ShowWhichFaultOccurred) {
  const std::uint64_t id = service.faults().inject({.latency = 2s});
  (void)pay("500");
  EXPECT_EQ(service.requests().list().back().faultId, id);
  EXPECT_EQ(service.requests().list().back().addedLatency, 2s);
  (void)pay("500");
  EXPECT_EQ(service.requests().list().back().faultId, 0U);
  EXPECT_EQ(service.requests().list().back().addedLatency, 0s);
}

TEST_F(VerificationTest, CountsOnlyRequestsSinceTheLogWasCleared) {
  (void)pay("500");
  (void)pay("500");
  service.requests().clear();
  EXPECT_THAT(service.requests().list(), IsEmpty());
  EXPECT_EQ(service.requests().droppedCount(), 0U);
  EXPECT_EQ(service.requests().count({}), 0U);
  (void)pay("500");
  EXPECT_EQ(service.requests().list().back().number, 3U) << "numbers continue";
  EXPECT_EQ(service.requests().list(2).size(), 1U);
  EXPECT_EQ(service.requests().list(3).size(), 0U);
  EXPECT_EQ(service.requests().count(fives), 1U);
}

}  // namespace

}  // namespace tally::test
