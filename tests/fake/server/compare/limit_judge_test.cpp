#include "compare/limit_judge.h"

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/traffic.h"
#include "fake/support/requests.h"

namespace tally::fake::detail {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Traffic;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

const std::string payouts = "/v1/payouts";

/// `count` requests, one every 4 ms, which take 50 ms.
void burst(Traffic& traffic, int count, const std::string& path = payouts,
           milliseconds apart = milliseconds{4}) {
  std::vector<std::pair<milliseconds, HttpRequest>> requests;
  for (int n = 0; n < count; ++n)
    requests.emplace_back(apart * n, test::get(traffic.key, path));
  traffic.overlap(std::move(requests));
}

std::vector<std::string> withLimit(const LimitOverride& limit, const std::string& path = payouts) {
  Traffic traffic;
  traffic.key = traffic.account.liveKey;
  traffic.service.limits().set(limit);
  burst(traffic, 60, path);
  traffic.pause();
  return traffic.differences();
}

TEST(LimitJudge, FindsALimitThatIsLowerThanInTheFake) {
  EXPECT_THAT(withLimit({.limit = "endpoint_rate", .value = 24}), ElementsAre("limit.refused:endpoint_rate"));
}

TEST(LimitJudge, FindsALimitThatIsHigherThanInTheFake) {
  EXPECT_THAT(withLimit({.limit = "endpoint_rate", .value = 26}),
              ElementsAre("limit.admitted:endpoint_rate"));
}

TEST(LimitJudge, FindsALimitThatOnlyTheFakeEnforces) {
  EXPECT_THAT(withLimit({.limit = "endpoint_rate"}), ElementsAre("limit.admitted:endpoint_rate"));
}

TEST(LimitJudge, CountsRequestsForObjectsThatDoNotExist) {
  EXPECT_THAT(withLimit({.limit = "endpoint_rate"}, payouts + "/po_none"),
              ElementsAre("limit.admitted:endpoint_rate"));
}

TEST(LimitJudge, FindsAGlobalLimitThatIsLowerThanInTheFake) {
  EXPECT_THAT(withLimit({.limit = "global_rate", .value = 10}), ElementsAre("limit.refused:global_rate"));
}

TEST(LimitJudge, FindsAConcurrencyLimitThatTheFakeDoesNotEnforce) {
  EXPECT_THAT(withLimit({.limit = "endpoint_concurrency", .value = 5}, "/v1/files"),
              ElementsAre("limit.refused:endpoint-concurrency"));
}

TEST(LimitJudge, FindsAConcurrencyLimitThatOnlyTheFakeEnforces) {
  Traffic traffic;
  traffic.key = traffic.account.liveKey;
  traffic.service.limits().set({.limit = "payouts_in_progress"});
  traffic.service.durations().set("payouts.list", milliseconds{3'200});
  burst(traffic, 60, payouts, milliseconds{50});
  EXPECT_THAT(traffic.differences(), ElementsAre("limit.admitted:payouts_in_progress"));
}

TEST(ComparisonSettings, AreRefusedIfALimitIsUnknown) {
  const std::string settings = R"({"accounts": [{"limits": [{"limit": "global_rat", "value": 5}]}]})";
  EXPECT_THROW(Settings{settings}, std::exception);
}

TEST(LimitJudge, FindsAWindowThatIsLongerThanInTheFake) {
  Traffic traffic;
  for (int second = 0; second < 2; ++second) {
    burst(traffic, 25);
    traffic.pause(milliseconds{1'200});
  }
  burst(traffic, 26);
  traffic.recorded[30].response = traffic.recorded.back().response;
  ASSERT_EQ(traffic.recorded[30].response->status, 429);
  traffic.recorded.resize(50);
  EXPECT_THAT(traffic.differences(), ElementsAre("limit.refused:global_rate"));
}

TEST(LimitJudge, FindsADifferenceInTheRateLimitedReason) {
  Traffic traffic;
  traffic.key = traffic.account.liveKey;
  burst(traffic, 40);
  traffic.alter([](Recorded& one, boost::json::object&) {
    for (Header& header : one.response->headers)
      if (header.name == "Service-Rate-Limited-Reason") header.value = "resource-specific";
    return false;
  });
  EXPECT_THAT(traffic.differences(), ElementsAre("limit.reason:endpoint_rate:resource-specific"));
}

/// The requests before the refused one overlap it, so that nothing shows how many of them arrived earlier.
TEST(LimitJudge, FindsADifferenceInTheRateLimitedReasonOfOverlappingRequests) {
  Traffic traffic;
  traffic.key = traffic.account.liveKey;
  burst(traffic, 26, payouts, milliseconds{1});
  Recorded& last = traffic.recorded.back();
  ASSERT_EQ(last.response->status, 429);
  for (Header& header : last.response->headers)
    if (header.name == "Service-Rate-Limited-Reason") header.value = "resource-specific";
  EXPECT_THAT(traffic.differences(), ElementsAre("limit.reason:endpoint_rate:resource-specific"));
}

/// A proxy responds so in place of a service that may not have got the request.
void failAll(Traffic& traffic, std::string_view path) {
  for (Recorded& one : traffic.recorded)
    if (one.response->status == 200 && one.request.url == path)
      one.response = HttpResponse{.status = 503, .headers = one.response->headers, .body = "{}"};
}

TEST(LimitJudge, DoesNotCountServerErrorsAsAdmissions) {
  Traffic traffic;
  traffic.service.limits().set({.limit = "endpoint_rate"});
  traffic.key = traffic.account.liveKey;
  burst(traffic, 60);
  failAll(traffic, payouts);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(LimitJudge, CountsServerErrorsAsPossibleChangesWhenALimitRefuses) {
  Traffic traffic;
  const auto made = test::bodyOf(traffic.post("/v1/subscriptions", "quantity=1"));
  const std::string invoices = "/v1/invoices";
  HttpResponse last;
  for (int n = 0; last.status != 429; ++n) {
    ASSERT_LT(n, 20);
    last = traffic.post(invoices, "subscription=" + test::text(made.at("id")));
  }
  failAll(traffic, invoices);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(LimitJudge, AcceptsALimitFromTheSettings) {
  Traffic traffic;
  traffic.service.limits().set({.limit = "global_rate", .value = 5});
  burst(traffic, 20);
  EXPECT_THAT(traffic.differences(), ElementsAre("limit.refused:global_rate"));
  const ComparisonOptions options{
      .settings = Settings{R"({"accounts": [{"limits": [{"limit": "global_rate", "value": 5}]}]})"}};
  EXPECT_THAT(traffic.differences(options), IsEmpty());
}

/// `count` requests with one key after as many with another one, whatever comes of them.
void sendWith(Traffic& traffic, const std::string& one, int count, const std::string& other, int more) {
  for (int n = 0; n < count; ++n)
    traffic.send(test::get(one, payouts));
  for (int n = 0; n < more; ++n)
    traffic.send(test::get(other, payouts));
}

TEST(LimitJudge, DoesNotJudgeALimitThatTwoKeysMayHaveUsedTogether) {
  Traffic traffic{{.seed = 7, .duration = milliseconds{1}}};
  sendWith(traffic, traffic.service.tokens().add(traffic.account, false), 15, traffic.key, 15);
  EXPECT_EQ(traffic.recorded.back().response->status, 429);
  const Findings found = traffic.compare();
  EXPECT_THAT(found.differences(), IsEmpty());
  EXPECT_THAT(found.unjudged(),
              ElementsAre(Field(&Unjudged::text, testing::HasSubstr("keys that may belong to one account"))));
}

/// A token with which a platform acts shows the objects of the connected account, whose own requests count
/// separately.
TEST(LimitJudge, DoesNotAddUpTheUseOfTwoKeysThatShowTheSameObjects) {
  Traffic traffic{{.seed = 7, .duration = milliseconds{1}}};
  const Account connected = traffic.service.addAccount();
  traffic.service.connections().connect(traffic.account, connected);
  const std::string token = traffic.service.tokens().add(traffic.account, connected, false);
  const std::string id = traffic.service.insertMany(connected.sandboxKey, "payout", 1).front();
  for (const std::string& key : {connected.sandboxKey, token})
    traffic.send(test::get(key, payouts + '/' + id));
  sendWith(traffic, connected.sandboxKey, 20, token, 20);
  EXPECT_EQ(traffic.recorded.back().response->status, 200);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(LimitJudge, FindsNoDifferenceNearTheEdgeOfAWindow) {
  Traffic traffic;
  for (int n = 0; n < 200; ++n) {
    traffic.overlap({{milliseconds{0}, test::get(traffic.key, payouts)}});
    if (n % 7 == 0) traffic.pause(milliseconds{3});
  }
  // A recorder saw them up to 40 ms before the service did.
  for (std::size_t n = 0; n < traffic.recorded.size(); ++n)
    traffic.recorded[n].start -= milliseconds{n * 13 % 40};
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(LimitJudge, DoesNotJudgeLongWindowsOfObjectsThatExistedBeforeTheRecording) {
  Traffic traffic;
  const std::string old = traffic.service.insertMany(traffic.key, "subscription", 1).front();
  for (int n = 0; n < 10; ++n)
    (void)traffic.service.handle(test::post(traffic.key, "/v1/invoices", "subscription=" + old));
  traffic.get("/v1/subscriptions/" + old);
  EXPECT_EQ(traffic.post("/v1/invoices", "subscription=" + old).status, 429);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(LimitJudge, JudgesLongWindowsOfNewObjects) {
  Traffic traffic;
  traffic.service.limits().set({.limit = "new_invoices_per_minute", .value = 3});
  const auto made = test::bodyOf(traffic.post("/v1/subscriptions", "quantity=1"));
  for (int n = 0; n < 5; ++n)
    traffic.post("/v1/invoices", "subscription=" + test::text(made.at("id")));
  EXPECT_THAT(traffic.differences(), ElementsAre("limit.refused:new_invoices_per_minute"));
}

}  // namespace

}  // namespace tally::fake::detail
