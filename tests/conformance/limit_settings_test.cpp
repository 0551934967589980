// Spec: "Limits", "A limit increase is requested through support": changed limits for all accounts and for
// one, and their reported usage.

#include <stdexcept>

#include "conformance/support/limit_conformance.h"

namespace tally::conformance {
namespace {

using namespace std::chrono_literals;

class LimitOverrides : public LimitConformance {
 protected:
  const std::string& key = account.sandboxKey;
  HttpRequest list = listRecords(key);
};

TEST_F(LimitOverrides, RaiseLimits) {
  setNumber(endpointRate.limit, 1'000);
  setNumber(globalRate.limit, 40);
  expectRate(globalRate, 40, 1s, {list});
}

TEST_F(LimitOverrides, LowerLimitsBelowTheirUsage) {
  EXPECT_EQ(admitted(10, list), 10);
  goTo(start + 500ms);
  EXPECT_EQ(admitted(10, list), 10);
  setNumber(globalRate.limit, 10);
  EXPECT_TRUE(refusedBy(globalRate, list));
  EXPECT_EQ(usageOf(account, "global_rate", false).remaining, 0);
  goTo(start + 1s);
  EXPECT_TRUE(refusedBy(globalRate, list)) << "the ten from half a second ago";
  EXPECT_EQ(usageOf(account, "global_rate", false).availableAt, start + 1500ms);
  goTo(start + 1500ms);
  EXPECT_EQ(admitted(11, list), 10);
}

TEST_F(LimitOverrides, DisableAndEnableLimits) {
  switchOff(globalRate.limit);
  switchOff(endpointRate.limit);
  EXPECT_EQ(admitted(500, list), 500);
  setNumber(globalRate.limit, 25);
  EXPECT_EQ(admitted(500, list), 0) << "requests admitted in the last second count, even without a limit";
  goTo(start + 1s);
  EXPECT_EQ(admitted(500, list), 25);
}

TEST_F(LimitOverrides, OfZeroRefuseEveryRequest) {
  setNumber(globalRate.limit, 0);
  EXPECT_TRUE(refusedBy(globalRate, list));
  goTo(start + 24h);
  EXPECT_TRUE(refusedBy(globalRate, list));
  EXPECT_EQ(usageOf(account, "global_rate", false).availableAt, std::nullopt);
}

TEST_F(LimitOverrides, ForOneAccountDoNotAffectOthers) {
  service.limits().set(account, {.limit = globalRate.limit, .value = 3});
  EXPECT_EQ(admitted(50, list), 3);
  EXPECT_EQ(admitted(50, listRecords(service.addAccount().sandboxKey)), 25);
}

TEST_F(LimitOverrides, ForOneModeDoNotAffectTheOther) {
  service.limits().set({.limit = globalRate.limit, .value = 3, .livemode = false});
  EXPECT_EQ(admitted(50, list), 3);
  EXPECT_EQ(admitted(120, listsBy(account.liveKey)), 100);
  service.limits().set(account, {.limit = globalRate.limit, .value = 4, .livemode = true});
  goTo(start + 1s);
  EXPECT_EQ(admitted(50, list), 3);
  EXPECT_EQ(admitted(50, listRecords(account.liveKey)), 4);
}

TEST_F(LimitOverrides, ForOneOperationDoNotAffectOthers) {
  switchOff(globalRate.limit);
  service.limits().set({.limit = endpointRate.limit, .value = 3, .operation = "payment_records.list"});
  EXPECT_EQ(admitted(50, list), 3);
  EXPECT_EQ(admitted(50, test::get(key, "/v1/invoices")), 25);
}

TEST_F(LimitOverrides, ForAllAccountsApplyToNewAccounts) {
  setNumber(globalRate.limit, 3);
  EXPECT_EQ(admitted(50, listRecords(service.addAccount().sandboxKey)), 3);
}

TEST_F(LimitOverrides, ForAllAccountsApplyToAccountsCreatedByRequests) {
  setNumber(globalRate.limit, 3);
  const HttpResponse created = service.handle(createAccount(key));
  const auto made = service.accounts().get(test::text(test::bodyOf(created).at("id")));
  EXPECT_EQ(admitted(50, listRecords(made.sandboxKey)), 3);
}

TEST_F(LimitOverrides, ForOneAccountTakePrecedenceOverThoseForAllAccounts) {
  setNumber(globalRate.limit, 3);
  service.limits().set(account, {.limit = globalRate.limit, .value = 7});
  EXPECT_EQ(admitted(50, list), 7);
  setNumber(globalRate.limit, 5);
  goTo(start + 1s);
  EXPECT_EQ(admitted(50, list), 7);
  EXPECT_EQ(admitted(50, listRecords(service.addAccount().sandboxKey)), 5);
}

TEST_F(LimitOverrides, AreReplacedByLaterOnesWithTheSameScope) {
  setNumber(globalRate.limit, 3);
  setNumber(globalRate.limit, 5);
  EXPECT_EQ(admitted(50, list), 5);
}

TEST_F(LimitOverrides, AreRefusedIfTheLimitScopeOrNumberIsInvalid) {
  EXPECT_THROW(setNumber("global_rates", 1), std::invalid_argument);
  EXPECT_THROW(setNumber("global_rate", -1), std::invalid_argument);
  EXPECT_THROW(service.limits().set({.limit = "global_rate", .value = 1, .operation = "payouts.list"}),
               std::invalid_argument);
  EXPECT_THROW(service.limits().set({.limit = "endpoint_rate", .value = 1, .operation = "payouts.create"}),
               std::invalid_argument)
      << "a named limit replaces it";
  EXPECT_THROW(service.limits().set(fake::Account{.id = "acct_1"}, {.limit = "global_rate", .value = 1}),
               std::invalid_argument);
  EXPECT_EQ(admitted(50, list), 25);
}

TEST_F(LimitOverrides, ThatDisableALimitKeepItsUsageDespiteFailedRequests) {
  EXPECT_EQ(admitted(5, createAccount(key)), 5);
  switchOff("account_creation");
  EXPECT_EQ(admitted(5, createAccount(key, "name=x")), 5);
  setNumber("account_creation", 5);
  EXPECT_TRUE(refusedBy(resourceSpecific("account_creation"), createAccount(key)));
}

TEST(ServiceWithoutLimits, AdmitsEveryRequest) {
  Service service{{.duration = nanoseconds{0}, .limits = false}};
  const std::string key = service.addAccount().sandboxKey;
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(service.handle(createPayout(key)).status, 200);
}

class Usage : public LimitOverrides {};

TEST_F(Usage, MatchesTheRequestsThatARateLimitAdmits) {
  EXPECT_EQ(admitted(3, list), 3);
  goTo(start + 300ms);
  auto usage = usageOf(account, "global_rate", false);
  EXPECT_EQ(usage.used, 3);
  EXPECT_EQ(usage.allowed, 25);
  EXPECT_EQ(usage.remaining, 22);
  EXPECT_EQ(usage.availableAt, start + 300ms) << "now";
  EXPECT_EQ(admitted(50, list), 22);
  usage = usageOf(account, "global_rate", false);
  EXPECT_EQ(usage.used, 25);
  EXPECT_EQ(usage.remaining, 0);
  ASSERT_EQ(usage.availableAt, start + 1s);
  goTo(*usage.availableAt - 1ns);
  EXPECT_TRUE(refusedBy(globalRate, list));
  goTo(*usage.availableAt);
  EXPECT_EQ(usageOf(account, "global_rate", false).remaining, 3);
  EXPECT_EQ(admitted(50, list), 3);
}

TEST_F(Usage, IsSeparateForEachOperationAndObject) {
  const auto intent = service.insert<PaymentIntent>(key);
  EXPECT_EQ(admitted(2, list) + admitted(3, updateIntent(key, intent.id)), 5);
  EXPECT_EQ(usageOf(account, "endpoint_rate", false, "payment_records.list").used, 2);
  EXPECT_EQ(usageOf(account, "endpoint_rate", false, "invoices.list").used, 0);
  EXPECT_EQ(usageOf(account, "payment_intent_updates", false, intent.id.str()).remaining, 997);
  EXPECT_EQ(usageOf(account, "endpoint_rate", true, "payment_records.list").used, 0);
}

TEST_F(Usage, HasNoMaximumForADisabledLimit) {
  const auto held = service.holds().takeConcurrency(key, "", 2);
  const auto usage = usageOf(account, "global_concurrency", false);
  EXPECT_EQ(usage.used, 2);
  EXPECT_EQ(usage.allowed, std::nullopt);
  EXPECT_EQ(usage.remaining, std::nullopt);
  EXPECT_EQ(usage.availableAt, std::nullopt);
}

/// Requests take 50 ms.
class ConcurrencyUsage : public LimitConformance {
 protected:
  ConcurrencyUsage() : LimitConformance(fake::ServiceOptions{}) { setNumber(globalConcurrency.limit, 3); }

  fake::LimitUsage usage() { return usageOf(account, "global_concurrency", false); }

  /// Three that end after 50, 60 and 70 ms.
  void begin() {
    for (const nanoseconds at : {0ms, 10ms, 20ms}) {
      goTo(start + at);
      EXPECT_EQ(admitted(1, list), 1);
    }
  }

  const std::string& key = account.sandboxKey;
  HttpRequest list = listRecords(key);
};

TEST_F(ConcurrencyUsage, MatchesTheRequestsInProgress) {
  EXPECT_EQ(usage().availableAt, start) << "now";
  begin();
  EXPECT_EQ(usage().used, 3);
  EXPECT_EQ(usage().remaining, 0);
  ASSERT_EQ(usage().availableAt, start + 50ms);
  goTo(start + 50ms - 1ns);
  EXPECT_TRUE(refusedBy(globalConcurrency, list));
  goTo(start + 50ms);
  EXPECT_EQ(usage().remaining, 1);
  EXPECT_EQ(admitted(2, list), 1);
}

TEST_F(ConcurrencyUsage, ForecastsWhenEnoughRequestsWillHaveEnded) {
  begin();
  setNumber(globalConcurrency.limit, 1);
  ASSERT_EQ(usage().availableAt, start + 70ms);
  goTo(start + 70ms - 1ns);
  EXPECT_TRUE(refusedBy(globalConcurrency, list));
  goTo(start + 70ms);
  EXPECT_EQ(admitted(2, list), 1);
}

TEST_F(ConcurrencyUsage, CountsSlotsHeldByATest) {
  auto held = service.holds().takeConcurrency(key, "", 3);
  EXPECT_EQ(usage().availableAt, std::nullopt);
  held.release();
  held = service.holds().takeConcurrency(key, "", 2);
  EXPECT_EQ(admitted(2, list), 1);
  EXPECT_EQ(usage().availableAt, start + 50ms);
  setNumber(globalConcurrency.limit, 2);
  EXPECT_EQ(usage().availableAt, std::nullopt) << "two units are held";
}

}  // namespace
}  // namespace tally::conformance
