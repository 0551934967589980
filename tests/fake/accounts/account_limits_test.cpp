#include "accounts/account_limits.h"

#include <cstdint>
#include <limits>
#include <thread>

#include <tally/fake/service.h>
#include <tally/invoices.h>
#include <tally/subscriptions.h>

#include <gtest/gtest.h>

#include "fake/support/limit_usage.h"
#include "fake/support/requests.h"

namespace tally::test {

namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

class LimitedService : public testing::Test {
 protected:
  HttpResponse get(const std::string& url) { return service.handle(test::get(key, url)); }
  HttpResponse post(const std::string& url, const std::string& body) {
    return service.handle(test::post(key, url, body));
  }
  [[nodiscard]] fake::LimitUsage usage(std::string_view limit, std::string_view operation = {},
                                       std::string_view object = {}) const {
    return usageOf(service.usage().list(account), limit, operation, object);
  }
  [[nodiscard]] Instant now() const { return service.clock()->now(); }

  fake::Service service{};
  fake::Account account = service.addAccount();
  std::string key = account.sandboxKey;
};

/// Setting a limit repeatedly uses no more memory.
TEST(LimitOverrides, ReplaceEarlierOverridesWithTheSameScope) {
  const LimitOverride subjects[] = {{.limit = "global_rate"},
                                    {.limit = "endpoint_rate"},
                                    {.limit = "endpoint_rate", .operation = "files.list"},
                                    {.limit = "endpoint_rate", .livemode = true},
                                    {.limit = "card_creation", .country = "de"},
                                    {.limit = "card_creation", .industry = "travel"}};
  std::vector<LimitOverride> settings;
  for (const std::int64_t number : {1, 2, 3})
    for (LimitOverride setting : subjects) {
      setting.value = number;
      fake::detail::addOverride(setting, settings);
    }
  ASSERT_EQ(settings.size(), std::size(subjects));
  for (const LimitOverride& setting : settings)
    EXPECT_EQ(setting.value, 3);
  fake::detail::addOverride(subjects[0], settings);
  EXPECT_EQ(settings.back().limit, "global_rate") << "the latest setting is applied last";
}

TEST_F(LimitedService, RefusesOptionsWithNegativeDurations) {
  EXPECT_EQ(wrongWith([] { fake::Service bad{{.duration = nanoseconds{-1}}}; }),
            "a duration can't be negative");
  EXPECT_EQ(wrongWith([] { fake::Service bad{{.lockWait = nanoseconds{-1}}}; }),
            "a duration can't be negative");
}

TEST_F(LimitedService, RefusesExcessiveDurationsTimesAndTransactions) {
  const std::string wrong = "a duration can't exceed 100 years";
  EXPECT_EQ(wrongWith([] { fake::Service bad{{.duration = nanoseconds::max()}}; }), wrong);
  EXPECT_EQ(wrongWith([] { fake::Service bad{{.lockWait = nanoseconds::max()}}; }), wrong);
  EXPECT_EQ(wrongWith([&] { service.durations().set("files.create", nanoseconds::max()); }), wrong);
  EXPECT_EQ(wrongWith([&] { (void)service.holds().lockObject(key, "pr_1", nanoseconds::max()); }), wrong);
  EXPECT_EQ(wrongWith([&] { service.faults().inject({.latency = nanoseconds::max()}); }),
            "the latency of a fault rule can't exceed 100 years");
  EXPECT_EQ(wrongWith([&] { service.clock()->advance(nanoseconds::max()); }),
            "the time would exceed the range of the clock");
  EXPECT_EQ(wrongWith([&] { service.transactions().record(key, std::numeric_limits<std::int64_t>::max()); }),
            "expected at most 1000000000000 transactions");
}

TEST_F(LimitedService, ExplainsWhyItRefusesADuration) {
  EXPECT_EQ(wrongWith([&] { service.durations().set("files.craete", seconds{1}); }),
            "unknown operation 'files.craete'; did you mean 'files.create'?");
  EXPECT_EQ(wrongWith([&] { service.durations().set("files.create", seconds{-1}); }),
            "a duration can't be negative");
}

TEST_F(LimitedService, SaysInARefusalWhatTheLimitAllows) {
  service.limits().set({.limit = "global_concurrency", .value = 0});
  EXPECT_NE(get("/v1/files").body.find("the limit global_concurrency allows 0 in flight"), std::string::npos);
  service.limits().set({.limit = "global_concurrency", .value = 1});
  service.limits().set({.limit = "global_rate", .value = 0});
  EXPECT_NE(get("/v1/files").body.find("the limit global_rate allows 0 in 1 s"), std::string::npos);
}

TEST_F(LimitedService, AppliesADurationToOneOperation) {
  service.limits().set({.limit = "global_concurrency", .value = 10});
  service.durations().set("files.list", seconds{2});
  EXPECT_EQ(get("/v1/files").status, 200);
  EXPECT_EQ(get("/v1/payouts").status, 200);
  EXPECT_EQ(usage("global_concurrency").used, 2);
  service.clock()->advance(milliseconds{50});
  EXPECT_EQ(usage("global_concurrency").used, 1);
  service.clock()->advance(milliseconds{1950});
  EXPECT_EQ(usage("global_concurrency").used, 0);
}

TEST_F(LimitedService, ExplainsWhyItRefusesALimitOverride) {
  EXPECT_EQ(wrongWith([&] { service.limits().set({.limit = "globalRate"}); }),
            "unknown limit 'globalRate'; did you mean 'global_rate'?");
  const std::string allocation =
      "'read_allocation' can't be set: it is 500 reads for each recorded transaction, and at least 10000";
  EXPECT_EQ(wrongWith([&] { service.limits().set({.limit = "read_allocation", .value = 5}); }), allocation);
  EXPECT_EQ(wrongWith([&] { service.limits().reset("read_allocation"); }), allocation);
  EXPECT_EQ(wrongWith([&] { service.limits().set({.limit = "global_rate", .value = -1}); }),
            "the limit 'global_rate' must be at least 0");
  EXPECT_EQ(wrongWith([&] { service.limits().set({.limit = "global_rate", .operation = "files.list"}); }),
            "the limit 'global_rate' has no separate number for 'files.list'");
  EXPECT_EQ(wrongWith([&] { service.limits().set({.limit = "endpoint_rate", .operation = "files.list"}); }),
            "the limit 'endpoint_rate' has no separate number for 'files.list'")
      << "file_reads replaces it";
  EXPECT_EQ(wrongWith([&] { service.limits().set({.id = "acct_1"}, {.limit = "global_rate"}); }),
            "this service has no account 'acct_1'");
  EXPECT_EQ(wrongWith([&] { service.limits().set(account, {.limit = "globalRate"}); }),
            "unknown limit 'globalRate'; did you mean 'global_rate'?");
  EXPECT_EQ(usage("global_rate").allowed, 25) << "and nothing changed";
}

TEST_F(LimitedService, RecordsNoTransactionsForAnUnknownKeyOrACountOfZero) {
  EXPECT_EQ(wrongWith([&] { service.transactions().record("sk_test_1"); }),
            "this service has no key 'sk_test_1'");
  EXPECT_EQ(wrongWith([&] { service.transactions().record(key, 0); }), "expected at least one transaction");
}

TEST_F(LimitedService, LocksNoObjectForAnUnknownKeyOrANegativeDuration) {
  EXPECT_EQ(wrongWith([&] { (void)service.holds().lockObject("sk_test_1", "pr_1"); }),
            "this service has no key 'sk_test_1'");
  EXPECT_EQ(wrongWith([&] { (void)service.holds().lockObject(key, "pr_1", seconds{-1}); }),
            "a duration can't be negative");
}

TEST_F(LimitedService, ExplainsWhyItRefusesAConcurrencyHold) {
  EXPECT_EQ(wrongWith([&] { (void)service.holds().takeConcurrency("sk_test_1", ""); }),
            "this service has no key 'sk_test_1'");
  EXPECT_EQ(wrongWith([&] { (void)service.holds().takeConcurrency(key, "files.craete"); }),
            "unknown operation 'files.craete'; did you mean 'files.create'?");
  EXPECT_EQ(wrongWith([&] { (void)service.holds().takeConcurrency(key, "files.create", 0); }),
            "expected at least one unit");
}

TEST_F(LimitedService, RefusesToReturnTheUsageOrKeysOfAnUnknownAccount) {
  EXPECT_EQ(wrongWith([&] { (void)service.usage().list({.id = "acct_1"}); }),
            "this service has no account 'acct_1'");
  EXPECT_EQ(wrongWith([&] { (void)service.accounts().get("acct_1"); }),
            "this service has no account 'acct_1'");
}

TEST_F(LimitedService, ExplainsWhyItReturnsNoUsageOfALimit) {
  const auto wrongOf = [&](const char* limit, const char* each) {
    return wrongWith([&] { (void)service.usage().of(key, limit, each); });
  };
  EXPECT_EQ(wrongOf("globalRate", ""), "unknown limit 'globalRate'; did you mean 'global_rate'?");
  EXPECT_EQ(wrongOf("endpoint_rate", ""),
            "the limit 'endpoint_rate' has a separate number for each operation; name one");
  EXPECT_EQ(wrongOf("endpoint_rate", "files.list"),
            "the limit 'endpoint_rate' has no separate number for 'files.list'");
  EXPECT_EQ(wrongOf("global_rate", "files.list"),
            "the limit 'global_rate' has no separate number for 'files.list'");
  EXPECT_EQ(wrongOf("read_alocation", ""), "unknown limit 'read_alocation'; did you mean 'read_allocation'?");
  EXPECT_EQ(wrongOf("read_allocation", "files.list"),
            "the limit 'read_allocation' has no separate number for 'files.list'");
}

TEST_F(LimitedService, ForecastsNoTimeForALimitOfZero) {
  const auto frees = [&] { return service.usage().of(key, "payment_intent_updates", "pi_1").availableAt; };
  EXPECT_EQ(frees(), now()) << "no usage";
  service.limits().set({.limit = "payment_intent_updates", .value = 0});
  EXPECT_EQ(frees(), std::nullopt);
}

TEST_F(LimitedService, PrefersTheLimitOfAnAccountToTheLimitOfAllAccounts) {
  service.limits().set(account, {.limit = "global_rate", .value = 3});
  service.limits().set({.limit = "global_rate", .value = 7});
  const auto other = service.addAccount();
  EXPECT_EQ(usage("global_rate").allowed, 3);
  EXPECT_EQ(usageOf(service.usage().list(other), "global_rate").allowed, 7);
}

TEST_F(LimitedService, LimitsAccountsInACountryOrIndustry) {
  const auto other = service.addAccount({.country = "de", .industry = "books"});
  service.limits().set({.limit = "card_creation", .value = 4, .country = "de"});
  service.limits().set({.limit = "payout_creation", .value = 6, .industry = "books"});
  EXPECT_EQ(usageOf(service.usage().list(other), "card_creation").allowed, 4);
  EXPECT_EQ(usageOf(service.usage().list(other), "payout_creation").allowed, 6);
  EXPECT_EQ(usage("card_creation").allowed, std::nullopt);
  EXPECT_EQ(usage("payout_creation").allowed, 15);
}

TEST_F(LimitedService, LimitsAccountsCreatedByRequests) {
  service.limits().set({.limit = "global_rate", .value = 7});
  const std::string id = text(bodyOf(post("/v1/accounts", "")).at("id"));
  EXPECT_EQ(usageOf(service.usage().list(service.accounts().get(id)), "global_rate").allowed, 7);
}

TEST_F(LimitedService, ForecastsFreeConcurrencyFromTheEndTimesOfRequests) {
  service.durations().set("files.list", seconds{1});
  service.durations().set("payouts.list", seconds{2});
  service.limits().set({.limit = "global_concurrency", .value = 2});
  get("/v1/files");
  get("/v1/payouts");
  EXPECT_EQ(usage("global_concurrency").availableAt, now() + seconds{1});
  service.limits().set({.limit = "global_concurrency", .value = 1});
  EXPECT_EQ(usage("global_concurrency").availableAt, now() + seconds{2});
  service.limits().set({.limit = "global_concurrency", .value = 0});
  EXPECT_EQ(usage("global_concurrency").availableAt, std::nullopt);
}

TEST_F(LimitedService, ForecastsNoFreeConcurrencyWhileATestHoldsTheSlots) {
  service.limits().set({.limit = "global_concurrency", .value = 3});
  const fake::Hold held = service.holds().takeConcurrency(key, "", 3);
  service.limits().set({.limit = "global_concurrency", .value = 4});
  get("/v1/files");
  EXPECT_EQ(usage("global_concurrency").availableAt, now() + milliseconds{50});
  service.limits().set({.limit = "global_concurrency", .value = 3});
  EXPECT_EQ(usage("global_concurrency").availableAt, std::nullopt) << "three are held";
}

/// The reads of day 1 expire on day 31, but by then the transactions have expired as well.
TEST_F(LimitedService, TakesExpiringTransactionsIntoAccountInTheReadForecast) {
  fake::Service quick{{.duration = nanoseconds{0}}};
  account = quick.addAccount();
  const auto read = [&](int times) {
    int done = 0;
    for (int n = 0; n < times; ++n)
      done += quick.handle(test::get(account.sandboxKey, "/v1/payouts")).status == 200 ? 1 : 0;
    return done;
  };
  quick.limits().set({.limit = "global_rate"});
  quick.limits().set({.limit = "endpoint_rate"});
  const Instant begin = quick.clock()->now();
  quick.transactions().record(account.sandboxKey, 30);
  quick.clock()->advance(days{1});
  EXPECT_EQ(read(5'000), 5'000);
  quick.clock()->advance(days{19});
  EXPECT_EQ(read(10'001), 10'000);
  EXPECT_EQ(usageOf(quick.usage().list(account), "read_allocation").availableAt, begin + days{50});
  quick.clock()->advance(days{11});
  EXPECT_EQ(read(1), 0);
  quick.clock()->advance(days{19});
  EXPECT_EQ(read(1), 1);
}

TEST_F(LimitedService, DoesNotReduceTheUsageForAFailedRequest) {
  const std::string id = service.insert<Subscription>(key).id.str();
  const std::string body = "subscription=" + id;
  EXPECT_EQ(post("/v1/invoices", body).status, 200);
  service.limits().set({.limit = "new_invoices_per_day"});
  EXPECT_EQ(errorOf(post("/v1/invoices", body + "&bogus=1")), "400 parameter_unknown bogus");
  EXPECT_EQ(usage("new_invoices_per_minute", "", id).used, 1);
  EXPECT_EQ(usage("new_invoices_per_day", "", id).used, 1);
}

TEST_F(LimitedService, DoesNotCopyWaitingRequestsToAFork) {
  const std::string id = service.insert<PaymentRecord>(key).id.str();
  service.limits().set({.limit = "global_concurrency", .value = 5});
  fake::Hold lock = service.holds().lockObject(key, id);
  service.clock()->freeze();
  std::jthread waiting{[&] {
    EXPECT_EQ(post("/v1/payment_records/" + id + "/report_payment_attempt_failed", "failed_at=1").status,
              200);
  }};
  service.clock()->waitForSleepers(1);
  EXPECT_EQ(usage("global_concurrency").used, 1);
  fake::Service copy = service.fork();
  lock.release();
  service.clock()->thaw();  // otherwise, a wait not ended by the release would never end
  waiting.join();
  service.clock()->advance(milliseconds{50});
  EXPECT_EQ(usage("global_concurrency").used, 0);
  EXPECT_EQ(usageOf(copy.usage().list(account), "global_concurrency").used, 0);
}

TEST_F(LimitedService, CountsRequestsInProgressWhenAConcurrencyLimitIsSet) {
  service.durations().set("files.list", seconds{2});
  EXPECT_EQ(get("/v1/files").status, 200);
  EXPECT_EQ(get("/v1/files").status, 200);
  service.limits().set({.limit = "endpoint_concurrency", .value = 2});
  EXPECT_EQ(errorOf(get("/v1/files")), "429 rate_limit");
  EXPECT_EQ(get("/v1/payouts").status, 200) << "none of them is in progress";
  service.limits().set({.limit = "global_concurrency", .value = 3});
  EXPECT_EQ(errorOf(get("/v1/payouts")), "429 rate_limit");
  service.clock()->advance(milliseconds{50});
  EXPECT_EQ(usage("global_concurrency").used, 2);
  EXPECT_EQ(usage("endpoint_concurrency", "files.list").availableAt, now() + milliseconds{1'950});
  service.clock()->advance(milliseconds{1'950});
  EXPECT_EQ(get("/v1/files").status, 200);
}

TEST_F(LimitedService, CountsRequestsAdmittedWhileARateLimitWasDisabled) {
  service.limits().set({.limit = "global_rate"});
  for (int n = 0; n < 3; ++n)
    EXPECT_EQ(get("/v1/files").status, 200);
  service.limits().set({.limit = "global_rate", .value = 3});
  EXPECT_EQ(errorOf(get("/v1/payouts")), "429 rate_limit");
  service.clock()->advance(seconds{1});
  EXPECT_EQ(post("/v1/issuing/cards", "").status, 200);
  service.limits().set({.limit = "card_creation", .value = 1});
  EXPECT_EQ(errorOf(post("/v1/issuing/cards", "")), "429 rate_limit");
}

TEST_F(LimitedService, AllowsDurationsThatEndBeyondTheRangeOfTheClock) {
  constexpr nanoseconds longest = std::chrono::years{100};
  fake::Service late{{.lockWait = longest}};
  account = late.addAccount();
  key = account.sandboxKey;
  const std::string id = late.insert<Subscription>(key).id.str();
  late.clock()->advance(longest);
  late.clock()->advance(longest);
  const Instant begin = late.clock()->now();
  const HttpRequest update = test::post(key, "/v1/subscriptions/" + id, "quantity=2");
  late.durations().set("subscriptions.update", longest);
  late.limits().set({.limit = "quantity_updates", .value = 1});
  late.faults().inject({.latency = longest});
  EXPECT_EQ(late.handle(update).status, 200);
  EXPECT_EQ(late.requests().list().back().respondedAt, Instant::max());
  EXPECT_EQ(usageOf(late.usage().list(account), "quantity_updates", "", id).availableAt,
            begin + std::chrono::hours{1});
  late.limits().set({.limit = "quantity_updates"});
  const fake::Hold lock = late.holds().lockObject(key, "sub_other", longest);
  auto waiting = std::get<fake::PendingRequest>(late.begin(update));
  EXPECT_EQ(waiting.lockedUntil(), Instant::max());
  auto other = std::get<fake::PendingRequest>(
      late.begin(test::post(key, "/v1/subscriptions/sub_other", "quantity=2")));
  EXPECT_EQ(other.lockedUntil(), Instant::max());
  late.clock()->advance(Instant::max() - begin);
  EXPECT_EQ(late.handle(test::get(key, "/v1/payouts")).status, 200);
  EXPECT_EQ(usageOf(late.usage().list(account), "global_rate").used, 1);
}

TEST_F(LimitedService, AcceptsASearchLagOfUpTo100Years) {
  EXPECT_EQ(wrongWith([] { fake::Service bad{{.searchLag = seconds{-1}}}; }), "a duration can't be negative");
  EXPECT_EQ(wrongWith([] { fake::Service bad{{.searchLag = seconds::max()}}; }),
            "a duration can't exceed 100 years");
  fake::Service first{{.start = Instant::min(), .searchLag = std::chrono::days{36'500}}};
  const HttpRequest search =
      test::get(first.addAccount().sandboxKey, "/v1/payment_records/search?query=created>0");
  EXPECT_EQ(first.handle(search).status, 200);
}

}  // namespace

}  // namespace tally::test
