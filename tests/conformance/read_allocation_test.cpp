// Spec: "Limits", "Read (GET) request allocation": a test for each of its seven rules, by number.

#include "conformance/support/limit_conformance.h"

namespace tally::conformance {
namespace {

using namespace std::chrono_literals;

constexpr const char* own = "read_allocation";
constexpr const char* behalf = "read_allocation_on_behalf";

/// Without rate limits, so that ten thousand reads can be made at one instant.
class ReadAllocation : public LimitConformance {
 protected:
  ReadAllocation() : LimitConformance({.duration = nanoseconds{0}, .requestLog = 10}) {
    switchOff(globalRate.limit);
    switchOff(endpointRate.limit);
    switchOff("searches");
  }

  static constexpr nanoseconds days(int count) { return count * 24h; }

  testing::AssertionResult usedUp(const HttpRequest& request, const char* allocation = own) {
    const HttpResponse response = service.handle(request);
    const std::string error = test::errorOf(response);
    const std::string limit = service.requests().list().back().limit;
    if (error == "429 read_allocation_exceeded" && limit == allocation) return testing::AssertionSuccess();
    return testing::AssertionFailure() << error << " by '" << limit << "'";
  }

  /// Exactly `count` reads are admitted now.
  void expectReads(int count, const Turns& turns, const char* allocation = own) {
    EXPECT_EQ(admitted(count, turns), count);
    EXPECT_TRUE(usedUp(turns.front(), allocation));
  }

  const std::string& key = account.liveKey;
  HttpRequest read = listRecords(key);
};

using ReadAllocationRule1 = ReadAllocation;
using ReadAllocationRule2 = ReadAllocation;
using ReadAllocationRule3 = ReadAllocation;
using ReadAllocationRule6 = ReadAllocation;
using ReadAllocationRule7 = ReadAllocation;

TEST_F(ReadAllocationRule1, Allows500ReadsPerTransaction) {
  service.transactions().record(key, 100);
  expectReads(50'000, {read});
}

TEST_F(ReadAllocationRule1, CountsRetrievalsListsAndSearchesTogether) {
  service.transactions().record(key, 21);
  expectReads(10'500, {read, test::get(key, "/v1/payment_records/search?query=created%3E0&limit=1"),
                       test::get(key, "/v1/payment_intents/pi_1")});
}

TEST_F(ReadAllocationRule1, AdmitsMoreReadsAfterATransaction) {
  service.transactions().record(key, 20);
  expectReads(10'000, {read});
  EXPECT_EQ(service.handle(createIntent(key)).status, 200);
  expectReads(500, {read});
}

TEST_F(ReadAllocationRule2, CountsReadsFor30Days) {
  EXPECT_EQ(admitted(1, read), 1);
  goTo(start + days(15));
  expectReads(9'999, {read});
  goTo(start + days(30) - 1ns);
  EXPECT_TRUE(usedUp(read));
  goTo(start + days(30));
  expectReads(1, {read});
  goTo(start + days(45) - 1ns);
  EXPECT_TRUE(usedUp(read));
  goTo(start + days(45));
  expectReads(9'999, {read});
}

TEST_F(ReadAllocationRule2, CountsTransactionsFor30Days) {
  service.transactions().record(key, 21);
  goTo(start + days(15));
  EXPECT_EQ(admitted(10'400, read), 10'400);
  goTo(start + days(30) - 1ns);
  EXPECT_EQ(admitted(1, read), 1);
  goTo(start + days(30));
  EXPECT_TRUE(usedUp(read));
}

TEST_F(ReadAllocationRule3, AllowsAtLeast10000Reads) {
  expectReads(10'000, {read});
  expectReads(10'000, {listRecords(account.sandboxKey)});
}

TEST_F(ReadAllocationRule3, DoesNotAddTheMinimumToTheShareOfTransactions) {
  service.transactions().record(key, 19);
  expectReads(10'000, {read});
  service.transactions().record(key, 1);
  EXPECT_TRUE(usedUp(read)) << "20 times 500 are the minimum";
  service.transactions().record(key, 1);
  expectReads(500, {read});
}

/// A platform and its connected accounts.
class ReadsOnBehalf : public ReadAllocation {
 protected:
  fake::Account connected = connect();

  fake::Account connect() {
    auto added = service.addAccount();
    service.connections().connect(account, added);
    return added;
  }

  HttpRequest onBehalf = onBehalfOf(connected, listRecords(account.liveKey));
};

using ReadAllocationRule4 = ReadsOnBehalf;
using ReadAllocationRule5 = ReadsOnBehalf;
using TransactionsOnBehalf = ReadsOnBehalf;

TEST_F(ReadAllocationRule4, GivesAConnectedAccountItsOwnAllocation) {
  service.transactions().record(account.liveKey, 50);
  service.transactions().record(connected.liveKey, 21);
  expectReads(10'500, {listRecords(connected.liveKey)});
  EXPECT_EQ(admitted(1, read), 1);
  EXPECT_EQ(admitted(1, onBehalf), 1);
}

TEST_F(ReadAllocationRule4, DoesNotCountReadsByThePlatformOnBehalfOfTheAccount) {
  expectReads(10'000, {onBehalf}, behalf);
  expectReads(10'000, {listRecords(connected.liveKey)});
}

TEST_F(ReadAllocationRule5, GivesAPlatformASeparateAllocationForReadsOnBehalf) {
  expectReads(10'000, {onBehalf}, behalf);
  expectReads(10'000, {read});
}

TEST_F(ReadAllocationRule5, CountsReadsMadeWithAKeyOrEitherKindOfAccessTokenTogether) {
  const std::string platformToken = service.tokens().add(account, true);
  const std::string accountToken = service.tokens().add(account, connected, true);
  expectReads(10'000,
              {onBehalf, onBehalfOf(connected, listRecords(platformToken)), listRecords(accountToken),
               onBehalfOf(connected, listRecords(accountToken))},
              behalf);
  EXPECT_TRUE(usedUp(listRecords(accountToken), behalf));
  EXPECT_TRUE(usedUp(onBehalfOf(connected, listRecords(platformToken)), behalf));
  EXPECT_EQ(usageOf(account, own, true).used, 0);
  EXPECT_EQ(usageOf(connected, own, true).used, 0);
}

TEST_F(ReadAllocationRule5, DependsOnTheTransactionsOfAllConnectedAccounts) {
  const auto second = connect();
  service.transactions().record(connected.liveKey, 11);
  service.transactions().record(second.liveKey, 10);
  expectReads(10'500, {onBehalf, onBehalfOf(second, listRecords(account.liveKey))}, behalf);
}

TEST_F(ReadAllocationRule5, IgnoresTransactionsOfThePlatformAndOfUnconnectedAccounts) {
  const auto stranger = service.addAccount();
  service.transactions().record(account.liveKey, 21);
  service.transactions().record(stranger.liveKey, 21);
  service.transactions().record(connected.sandboxKey, 21);
  expectReads(10'000, {onBehalf}, behalf);
}

TEST_F(ReadAllocationRule5, CountsTransactionsOfConnectedAccountsFor30Days) {
  service.transactions().record(connected.liveKey, 21);
  goTo(start + days(15));
  EXPECT_EQ(admitted(10'400, onBehalf), 10'400);
  goTo(start + days(30) - 1ns);
  EXPECT_EQ(admitted(1, onBehalf), 1);
  goTo(start + days(30));
  EXPECT_TRUE(usedUp(onBehalf, behalf));
}

TEST_F(ReadAllocationRule5, IncludesAccountsCreatedByRequests) {
  const HttpResponse created = service.handle(createAccount(account.liveKey));
  const auto made = service.accounts().get(test::text(test::bodyOf(created).at("id")));
  service.transactions().record(made.liveKey, 21);
  expectReads(10'500, {onBehalf, onBehalfOf(made, listRecords(account.liveKey))}, behalf);
}

TEST_F(ReadAllocationRule6, DoesNotCountWrites) {
  const std::string report =
      "/v1/payment_records/" + service.insert<PaymentRecord>(key).id.str() + "/report_payment_attempt_failed";
  EXPECT_EQ(admitted(500, Turns{createCard(key), test::post(key, report, "failed_at=1")}), 500);
  EXPECT_EQ(usageOf(account, own, true).used, 0);
  expectReads(10'000, {read});
}

TEST_F(ReadAllocationRule6, AdmitsWritesWhenTheAllocationIsExhausted) {
  expectReads(10'000, {read});
  const std::string report =
      "/v1/payment_records/" + service.insert<PaymentRecord>(key).id.str() + "/report_payment_attempt_failed";
  EXPECT_EQ(service.handle(createCard(key)).status, 200);
  EXPECT_EQ(service.handle(test::post(key, report, "failed_at=1")).status, 200);
}

TEST_F(ReadAllocationRule7, ExcludesDataReportingAndTaxEndpoints) {
  const Turns excluded{test::get(key, "/v1/data/exports"), test::get(key, "/v1/reporting/report_runs"),
                       test::get(key, "/v1/tax/registrations")};
  EXPECT_EQ(admitted(300, excluded), 300);
  EXPECT_EQ(usageOf(account, own, true).used, 0);
  expectReads(10'000, {read});
  for (const HttpRequest& request : excluded)
    EXPECT_EQ(service.handle(request).status, 200) << request.url;
}

TEST_F(TransactionsOnBehalf, CountForTheAccountOfThePaymentIntent) {
  EXPECT_EQ(admitted(21, onBehalfOf(connected, createIntent(account.liveKey))), 21);
  EXPECT_EQ(usageOf(connected, own, true).allowed, 10'500);
  EXPECT_EQ(usageOf(account, behalf, true).allowed, 10'500);
  EXPECT_EQ(usageOf(account, own, true).allowed, 10'000);
  EXPECT_EQ(usageOf(connected, own, false).allowed, 10'000);
}

TEST_F(ReadAllocation, IgnoresFailedPaymentIntentsAndOtherCreations) {
  service.transactions().record(key, 20);
  EXPECT_EQ(service.handle(test::post(key, "/v1/payment_intents", "amount=5")).status, 400);
  EXPECT_EQ(service.handle(createPayout(key)).status, 200);
  EXPECT_EQ(service.handle(createCard(key)).status, 200);
  (void)service.insert<PaymentIntent>(key);
  EXPECT_EQ(usageOf(account, own, true).allowed, 10'000);
  service.faults().inject({.fault = fake::Fault::responseLost});
  (void)service.handle(createIntent(key));
  EXPECT_EQ(usageOf(account, own, true).allowed, 10'500);
}

TEST_F(ReadAllocation, DoesNotCountRateLimitedReads) {
  setNumber(endpointRate.limit, 25);
  EXPECT_EQ(admitted(100, read), 25);
  EXPECT_EQ(usageOf(account, own, true).used, 25);
}

TEST_F(ReadAllocation, KeepsRefusedReadsFromCountingAgainstRateLimits) {
  expectReads(10'000, {read});
  goTo(start + 1s);
  setNumber(endpointRate.limit, 1);
  EXPECT_TRUE(usedUp(read));
  EXPECT_TRUE(usedUp(read));
  setNumber(endpointRate.limit, 0);
  EXPECT_TRUE(refusedBy(endpointRate, read)) << "the rate limit is checked first";
}

TEST_F(ReadAllocation, CausesStatus429WithARequestIdButNoReasonWhenExhausted) {
  expectReads(10'000, {read});
  const HttpResponse response = service.handle(read);
  EXPECT_EQ(test::errorOf(response), "429 read_allocation_exceeded");
  EXPECT_EQ(test::text(test::bodyOf(response).at("error").at("type")), "rate_limit_error");
  EXPECT_EQ(response.header("Service-Rate-Limited-Reason"), nullptr);
  ASSERT_NE(response.header("Request-Id"), nullptr);
  EXPECT_TRUE(response.header("Request-Id")->starts_with("req_"));
}

TEST_F(ReadAllocation, CausesNeitherARateLimitErrorNorARetryWhenExhausted) {
  expectReads(10'000, {read});
  const Client client{service.clientOptions(key)};
  const Error error =
      client.paymentRecords().retrieve("pr_1", {.maxNetworkRetries = 2, .retryRateLimited = true}).error();
  EXPECT_EQ(error.kind(), ErrorKind::tooManyRequests);
  EXPECT_EQ(error.code(), error_code::readAllocationExceeded);
  EXPECT_FALSE(error.rateLimitedReason());
  EXPECT_TRUE(error.requestId().starts_with("req_"));
  EXPECT_EQ(error.effect(), Effect::none);
  EXPECT_EQ(error.attemptCount(), 1);
}

TEST_F(ReadAllocation, IsNotEnforcedWithoutLimits) {
  Service free{{.limits = false, .requestLog = 0}};
  const HttpRequest request = listRecords(free.addAccount().liveKey);
  int ok = 0;
  for (int i = 0; i < 10'001; ++i)
    ok += free.handle(request).status == 200 ? 1 : 0;
  EXPECT_EQ(ok, 10'001);
}

TEST_F(ReadAllocation, ForecastsTheNextAdmittedRead) {
  EXPECT_EQ(admitted(1, read), 1);
  goTo(start + days(1));
  EXPECT_EQ(usageOf(account, own, true).availableAt, start + days(1)) << "now";
  EXPECT_EQ(usageOf(account, own, true).remaining, 9'999);
  expectReads(9'999, {read});
  const auto usage = usageOf(account, own, true);
  EXPECT_EQ(usage.used, 10'000);
  EXPECT_EQ(usage.remaining, 0);
  EXPECT_EQ(usage.availableAt, start + days(30));
}

TEST_F(ReadAllocation, TakesExpiringTransactionsIntoAccountInItsForecast) {
  service.transactions().record(key, 21);
  goTo(start + days(1));
  EXPECT_EQ(admitted(1, read), 1);
  goTo(start + days(2));
  expectReads(10'499, {read});
  const auto frees = usageOf(account, own, true).availableAt;
  EXPECT_EQ(frees, start + days(32)) << "a day before, 10,499 reads are more than the minimum";
  goTo(start + days(31));
  EXPECT_TRUE(usedUp(read));
  goTo(*frees - 1ns);
  EXPECT_TRUE(usedUp(read));
  goTo(*frees);
  EXPECT_EQ(admitted(1, read), 1);
}

}  // namespace
}  // namespace tally::conformance
