#include <chrono>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <tally/fake/hold.h>
#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/requests.h"

namespace tally::fake {

namespace {

using std::chrono::hours;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::SizeIs;

class UsageHistory : public testing::Test {
 protected:
  void list(int times, Service& from) {
    for (int n = 0; n < times; ++n)
      (void)from.handle(test::get(key, "/v1/payouts"));
  }
  void list(int times) { list(times, service); }

  [[nodiscard]] static std::vector<std::string> names(const std::vector<LimitHistory>& histories) {
    std::vector<std::string> all;
    for (const LimitHistory& history : histories)
      if (history.refusals != 0) all.push_back(history.limit + ' ' + history.operation);
    return all;
  }
  [[nodiscard]] static LimitHistory of(const std::vector<LimitHistory>& histories, std::string_view limit) {
    for (const LimitHistory& history : histories)
      if (history.limit == limit) return history;
    return {};
  }

  Service service{};
  Account account = service.addAccount();
  std::string key = account.sandboxKey;
};

TEST_F(UsageHistory, ShowsWhichLimitRefusedRequestsHoursAgo) {
  list(40);
  service.requests().clear();
  service.clock()->advance(hours{7});
  list(1);
  const auto histories = service.usage().history(key);
  EXPECT_THAT(names(histories), ElementsAre("global_rate "));
  const LimitHistory& found = histories.front();
  EXPECT_EQ(found.refusals, 15);
  EXPECT_EQ(found.highestUse, 25);
  EXPECT_EQ(found.allowed, 25);
  EXPECT_FALSE(found.livemode);
  EXPECT_EQ(found.lastRefusal, ServiceOptions{}.start);
  EXPECT_THAT(found.minutes, SizeIs(1));
  service.clock()->advance(hours{17});
  EXPECT_THAT(names(service.usage().history(key)), ElementsAre());
}

TEST_F(UsageHistory, ListsLimitsWithRefusalsFirst) {
  service.limits().set({.limit = "endpoint_rate", .value = 3, .operation = "payouts.list"});
  list(4);
  service.clock()->advance(seconds{5});
  for (int n = 0; n < 40; ++n)
    (void)service.handle(test::get(key, n % 2 == 0 ? "/v1/payment_records" : "/v1/payment_records/pr_1"));
  const auto histories = service.usage().history(account);
  EXPECT_THAT(names(histories), ElementsAre("endpoint_rate payouts.list", "global_rate "));
  EXPECT_GT(histories.size(), 2U) << "those that only counted follow";
}

TEST_F(UsageHistory, NamesTheObjectWithTheHighestUseAndTheRefusal) {
  service.limits().set({.limit = "payment_intent_updates", .value = 2});
  const std::string id = service.insert<PaymentIntent>(key).id;
  for (int n = 0; n < 3; ++n)
    (void)service.handle(test::post(key, "/v1/payment_intents/" + id, "description=a"));
  const LimitHistory found = of(service.usage().history(key), "payment_intent_updates");
  EXPECT_EQ(found.refusals, 1);
  EXPECT_EQ(found.highestUse, 2);
  EXPECT_EQ(found.highestObject, id);
  EXPECT_EQ(found.refusedObject, id);
}

TEST_F(UsageHistory, CountsOnlyChangesThatAreMade) {
  EXPECT_EQ(service.handle(test::post(key, "/v1/accounts", "unknown=1")).status, 400);
  EXPECT_TRUE(of(service.usage().history(key), "account_creation").limit.empty());
  EXPECT_EQ(service.handle(test::post(key, "/v1/accounts", "")).status, 200);
  const LimitHistory made = of(service.usage().history(key), "account_creation");
  EXPECT_EQ(made.highestUse, 1);
  EXPECT_TRUE(made.highestAt);
}

TEST_F(UsageHistory, CountsRefusalsByALimitThatAllowsNothing) {
  service.limits().set({.limit = "endpoint_rate", .value = 0, .operation = "payouts.list"});
  list(2);
  const LimitHistory found = of(service.usage().history(key), "endpoint_rate");
  EXPECT_EQ(found.refusals, 2);
  EXPECT_EQ(found.highestUse, 0);
  EXPECT_EQ(found.highestAt, std::nullopt);
}

TEST_F(UsageHistory, IncludesConcurrencyAndTheReadAllocation) {
  list(2);
  const auto histories = service.usage().history(key);
  EXPECT_EQ(of(histories, "read_allocation").highestUse, 2);
  service.limits().set({.limit = "payouts_in_progress", .value = 1});
  const Hold hold = service.holds().takeConcurrency(key, "payouts.create", 1);
  (void)service.handle(test::post(key, "/v1/payouts", "amount=5&currency=eur"));
  EXPECT_EQ(of(service.usage().history(key), "payouts_in_progress").refusals, 1);
}

TEST_F(UsageHistory, IncludesTheConcurrencyThatATestHolds) {
  (void)service.holds().takeConcurrency(key, "payouts.create", 30);
  service.clock()->advance(hours{1});
  const Hold hold = service.holds().takeConcurrency(key, "payouts.create", 20);
  (void)service.handle(test::post(key, "/v1/payouts", "amount=5&currency=eur"));
  for (const char* const limit : {"payouts_in_progress", "endpoint_concurrency", "global_concurrency"}) {
    const LimitHistory found = of(service.usage().history(key), limit);
    EXPECT_EQ(found.highestUse, 30) << limit;
    EXPECT_EQ(found.highestAt, ServiceOptions{}.start) << limit;
  }
}

TEST_F(UsageHistory, SurvivesLimitResetsAndIsCopiedToForksAndSnapshots) {
  const Snapshot before = service.snapshots().take();
  list(26);
  service.limits().reset();
  EXPECT_THAT(names(service.usage().history(key)), SizeIs(1));
  Service fork = service.fork();
  list(30, fork);
  EXPECT_EQ(of(fork.usage().history(key), "global_rate").refusals, 31);
  EXPECT_EQ(of(service.usage().history(key), "global_rate").refusals, 1) << "it is independent of the fork";
  service.snapshots().restore(before);
  EXPECT_THAT(service.usage().history(key), SizeIs(0));
}

TEST_F(UsageHistory, IsPrintedWithTheLimitRefusalsAndHighestUse) {
  list(26);
  std::ostringstream out;
  out << service.usage().history(key).front();
  EXPECT_EQ(out.str(), "global_rate in the sandbox: 1 refused, highest use 25 of 25");
}

}  // namespace

}  // namespace tally::fake
