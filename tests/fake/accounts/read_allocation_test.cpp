#include "accounts/read_allocation.h"

#include <algorithm>
#include <array>
#include <set>

#include <gtest/gtest.h>

#include "engine/engine.h"
#include "fake/support/limit_usage.h"
#include "fake/support/requests.h"
#include "support/random_runs.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

namespace {

using std::chrono::seconds;
using test::errorOf;

constexpr ReadAllocation small{.readsPerTransaction = 3, .minimum = 5, .window = seconds{100}};
constexpr Instant allocationStart = ServiceOptions{}.start;

Description withSmallAllocation() {
  return {.readAllocation = &small};
}

class ReadAllocationTest : public testing::Test {
 protected:
  std::string read(const std::string& by, const std::string& actingFor = {},
                   const std::string& url = "/v1/payouts") {
    HttpRequest request = test::get(by, url);
    if (!actingFor.empty()) request.headers.push_back({"Service-Account", actingFor});
    return errorOf(service.handle(request));
  }
  void readAll(const std::string& by, int times) {
    for (int n = 0; n < times; ++n)
      EXPECT_EQ(read(by), "200");
  }
  LimitUsage usage(bool onBehalf) {
    return service.usage().of(key, onBehalf ? "read_allocation_on_behalf" : "read_allocation");
  }

  std::shared_ptr<Engine> engine =
      std::make_shared<Engine>(ServiceOptions{.duration = seconds{0}}, withSmallAllocation());
  Service service{engine};
  Account platform = service.addAccount();
  Account connected = service.addAccount();
  std::string key = platform.sandboxKey;
  std::string usedUp = "429 read_allocation_exceeded";
};

TEST_F(ReadAllocationTest, IsAtLeastTheMinimum) {
  readAll(key, 5);
  EXPECT_EQ(read(key), usedUp);
  EXPECT_EQ(read(platform.liveKey), "200") << "the modes are separate";
  service.clock()->advance(seconds{100});
  EXPECT_EQ(read(key), "200");
}

TEST_F(ReadAllocationTest, GrowsWithTransactions) {
  for (int n = 0; n < 2; ++n)
    EXPECT_EQ(service.handle(test::post(key, "/v1/payment_intents", "amount=1&currency=eur")).status, 200);
  readAll(key, 6);
  EXPECT_EQ(read(key), usedUp);
  EXPECT_EQ(usage(false).used, 6);
  EXPECT_EQ(usage(false).allowed, 6);
  EXPECT_EQ(usage(false).remaining, 0);
  EXPECT_EQ(usage(false).availableAt, allocationStart + seconds{100});
}

TEST_F(ReadAllocationTest, IgnoresWritesAndExemptResources) {
  readAll(key, 5);
  EXPECT_EQ(errorOf(service.handle(test::post(key, "/v1/files", "purpose=a&filename=b"))), "200");
  EXPECT_EQ(read(key, {}, "/v1/data/exports"), "200");
  EXPECT_EQ(read(key, {}, "/v1/files"), usedUp);
}

TEST_F(ReadAllocationTest, OmitsTheReasonHeaderFromRefusals) {
  readAll(key, 5);
  const HttpResponse response = service.handle(test::get(key, "/v1/payouts"));
  EXPECT_EQ(response.header("Service-Rate-Limited-Reason"), nullptr);
  EXPECT_NE(response.header("Request-Id"), nullptr);
  EXPECT_EQ(service.requests().list().back().limit, "read_allocation");
}

TEST_F(ReadAllocationTest, IgnoresRateLimitedReads) {
  service.limits().set(platform, {.limit = "global_rate", .value = 1});
  EXPECT_EQ(read(key), "200");
  EXPECT_EQ(read(key), "429 rate_limit");
  EXPECT_EQ(usage(false).used, 1);
}

TEST_F(ReadAllocationTest, DoesNotCountRefusedReadsAgainstRateLimits) {
  readAll(key, 5);
  EXPECT_EQ(read(key), usedUp);
  EXPECT_EQ(service.usage().of(key, "global_rate").used, 5);
}

TEST_F(ReadAllocationTest, IsSeparateForReadsThatAPlatformMakesOnBehalfOfAccounts) {
  service.connections().connect(platform, connected);
  for (int n = 0; n < 5; ++n)
    EXPECT_EQ(read(key, connected.id), "200");
  EXPECT_EQ(read(key, connected.id), usedUp);
  EXPECT_EQ(service.requests().list().back().limit, "read_allocation_on_behalf");
  readAll(key, 5);
  readAll(connected.sandboxKey, 5);
  service.transactions().record(connected.sandboxKey, 2);
  EXPECT_EQ(read(key, connected.id), "200") << "by the connected account's transactions";
  EXPECT_EQ(read(connected.sandboxKey), "200") << "which also count for itself";
  EXPECT_EQ(read(key), usedUp) << "but not for the platform's own reads";
}

TEST_F(ReadAllocationTest, IsCappedForAHugeNumberOfTransactions) {
  const std::int64_t count = std::numeric_limits<std::int64_t>::max() / 2;
  engine->change()->accounts.ownerOf(key).mode().reads.transactions.add(engine->clock()->now(), count);
  readAll(key, 7);
  EXPECT_EQ(usage(false).allowed, std::numeric_limits<std::int64_t>::max());
}

/// A naive model of the allocation.
struct PlainAllocation {
  std::vector<Instant> reads{};
  std::vector<Instant>* transactions = nullptr;  // one element per account
  std::size_t accounts = 1;

  static std::int64_t count(const std::vector<Instant>& times, Instant now) {
    return std::ranges::count_if(times, [&](Instant time) { return time + small.window > now; });
  }
  [[nodiscard]] std::int64_t allowed(Instant now) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < accounts; ++i)
      sum += count(transactions[i], now);
    return std::max(small.minimum, small.readsPerTransaction * sum);
  }
  [[nodiscard]] std::optional<Instant> frees(Instant now) const {
    std::set<Instant> times{now};
    for (const Instant read : reads)
      times.insert(std::max(now, read + small.window));
    for (const Instant time : times)
      if (count(reads, time) < allowed(time)) return time;
    return std::nullopt;
  }
};

TEST(ReadQuota, NeverExceedsWhatTheTransactionsInTheWindowAllow) {
  const Catalog catalog{withSmallAllocation()};
  Accounts accounts{1};
  AccountState& payer = accounts.stateOf(accounts.add(catalog, {}).id);
  std::vector<Instant> transactions;
  for (int n = 0; n < 6'000; ++n) {
    transactions.push_back(allocationStart + std::chrono::milliseconds{10} * n);
    payer.mode(false).reads.transactions.add(transactions.back());
  }
  ASSERT_LT(payer.mode(false).reads.transactions.instants(), transactions.size()) << "some were merged";
  const PlainAllocation plain{.transactions = &transactions};
  const ReadQuota quota{small, payer, false, false};
  constexpr std::chrono::nanoseconds span =
      std::chrono::nanoseconds{small.window} / (ReadCounters::mostInstants / 2);
  for (Instant time = transactions.back(); time < allocationStart + seconds{165};
       time += std::chrono::milliseconds{70}) {
    ASSERT_LE(quota.allowed(accounts, time), plain.allowed(time)) << (time - allocationStart).count();
    ASSERT_GE(quota.allowed(accounts, time), plain.allowed(time + span)) << (time - allocationStart).count();
  }
}

TEST(ReadCounters, CountEveryReadForAtLeastAWindow) {
  constexpr std::int64_t many = 6'000;
  constexpr std::chrono::milliseconds apart{10};
  ReadCounters reads{small.window};
  for (SlidingWindow* window : {&reads.own, &reads.onBehalf}) {
    for (std::int64_t n = 0; n < many; ++n)
      window->add(allocationStart + n * apart);
    ASSERT_LT(window->instants(), std::size_t{many}) << "some were merged";
    for (std::int64_t n = 0; n < many; ++n)
      ASSERT_GE(window->countAt(allocationStart + n * apart + small.window - std::chrono::nanoseconds{1}),
                many - n);
  }
}

void compare(const ReadQuota& quota, const PlainAllocation& plain, Accounts& accounts, Instant now) {
  const std::int64_t used = PlainAllocation::count(plain.reads, now);
  RC_ASSERT(quota.isUsedUp(accounts, now) == (used >= plain.allowed(now)));
  const LimitUsage usage = quota.usage(accounts, now);
  RC_ASSERT(usage.used == used);
  RC_ASSERT(usage.allowed == plain.allowed(now));
  RC_ASSERT(usage.remaining == std::max<std::int64_t>(plain.allowed(now) - used, 0));
  RC_ASSERT(usage.availableAt == plain.frees(now));
}

TEST(ReadQuota, MatchesASimpleModel) {
  const Catalog catalog{withSmallAllocation()};
  test::holdsInRuns(1'000, [&] {
    Accounts accounts{1};
    const std::array<Account, 3> named{accounts.add(catalog, {}), accounts.add(catalog, {}),
                                       accounts.add(catalog, {})};
    const std::shared_ptr<AccountState>& platform = accounts.at(0);
    accounts.connect(named[0], named[1]);
    accounts.connect(named[0], named[2]);
    std::array<std::vector<Instant>, 3> transactions;
    PlainAllocation own{.transactions = transactions.data()};
    PlainAllocation onBehalf{.transactions = &transactions[1], .accounts = 2};
    PlainAllocation another{.transactions = &transactions[1]};
    Instant now = allocationStart;
    const int steps = *rc::gen::inRange(1, 80);
    for (int n = 0; n < steps; ++n) {
      now += seconds{*rc::gen::weightedElement<int>({{6, 0}, {4, 1}, {3, 20}, {1, 99}, {1, 100}})};
      const auto who = *rc::gen::inRange<std::size_t>(0, 3);
      if (*rc::gen::inRange(0, 4) == 0) {
        const int count = *rc::gen::inRange(1, 4);
        accounts.at(who)->mode(false).reads.transactions.add(now, count);
        transactions[who].insert(transactions[who].end(), static_cast<std::size_t>(count), now);
      } else {
        const Caller self{platform, platform, false};
        const Caller forOther{accounts.at(1), platform, false};
        const Caller other{accounts.at(1), accounts.at(1), false};
        const Caller& caller = who == 0 ? self : who == 1 ? forOther : other;
        const ReadQuota quota{small, caller};
        PlainAllocation& plain = who == 0 ? own : who == 1 ? onBehalf : another;
        if (!quota.isUsedUp(accounts, now)) {
          ReadQuota::count(caller, now);
          plain.reads.push_back(now);
        }
      }
      compare({small, *platform, false, false}, own, accounts, now);
      compare({small, *platform, false, true}, onBehalf, accounts, now);
      compare({small, *accounts.at(1), false, false}, another, accounts, now);
    }
  });
}

}  // namespace

}  // namespace tally::fake::detail
