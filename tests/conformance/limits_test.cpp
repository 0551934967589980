// Spec: "Limits": a test for each row that counts requests per time, with the last admitted request, the
// first refused one, and the first one admitted again. Rows that count requests in progress are in
// concurrency_limits_test.cpp, the read allocation is in read_allocation_test.cpp.

#include "conformance/support/limit_conformance.h"

namespace tally::conformance {
namespace {

using namespace std::chrono_literals;

class Limits : public LimitConformance {
 protected:
  Turns retrievesBy(const std::string& key, int objects) {
    Turns turns;
    for (int i = 0; i < objects; ++i)
      turns.push_back(test::get(key, "/v1/payment_records/" + service.insert<PaymentRecord>(key).id.str()));
    return turns;
  }
};

using GlobalLimit = Limits;

TEST_F(GlobalLimit, Is100RequestsPerSecondInLiveMode) {
  expectRate(globalRate, 100, 1s, listsBy(account.liveKey));
}

TEST_F(GlobalLimit, Is25RequestsPerSecondInTheSandbox) {
  expectRate(globalRate, 25, 1s, listsBy(account.sandboxKey));
}

TEST_F(GlobalLimit, CountsEachModeSeparately) {
  EXPECT_EQ(admitted(30, listsBy(account.sandboxKey)), 25);
  EXPECT_EQ(admitted(110, listsBy(account.liveKey)), 100);
  EXPECT_EQ(admitted(1, listRecords(account.sandboxKey)), 0);
}

TEST_F(GlobalLimit, CountsEachAccountSeparately) {
  const auto other = service.addAccount();
  EXPECT_EQ(admitted(30, listRecords(account.sandboxKey)), 25);
  EXPECT_EQ(admitted(30, listRecords(other.sandboxKey)), 25);
}

TEST_F(GlobalLimit, CountsWritesAsWellAsReads) {
  Turns turns = listsBy(account.sandboxKey);
  turns.push_back(createIntent(account.sandboxKey));
  turns.push_back(createPayout(account.sandboxKey));
  expectRate(globalRate, 25, 1s, turns);
}

TEST_F(GlobalLimit, CountsRequestsAgainstTheAccountThatSendsThem) {
  const auto connected = service.addAccount();
  service.connections().connect(account, connected);
  const HttpRequest onBehalf = onBehalfOf(connected, listRecords(account.sandboxKey));
  const HttpRequest byToken = listRecords(service.tokens().add(account, connected, false));
  EXPECT_EQ(admitted(24, Turns{onBehalf, byToken}), 24);
  EXPECT_EQ(admitted(25, listRecords(connected.sandboxKey)), 25);
  EXPECT_EQ(admitted(2, listRecords(account.sandboxKey)), 1);
  EXPECT_TRUE(refusedBy(globalRate, onBehalf));
  EXPECT_TRUE(refusedBy(globalRate, byToken));
}

TEST_F(GlobalLimit, CountsRequestsByTheKeyAndATokenOfAnAccountTogether) {
  const std::string token = service.tokens().add(account, false);
  EXPECT_EQ(admitted(30, Turns{listRecords(account.sandboxKey), listRecords(token)}), 25);
}

TEST_F(GlobalLimit, CountsAdmittedRequestsThatFail) {
  const std::string& key = account.sandboxKey;
  EXPECT_EQ(admitted(25, Turns{test::get(key, "/v1/payment_records/pr_nobody"),
                               test::get(key, "/v1/payment_records?limit=0")}),
            25);
  EXPECT_TRUE(refusedBy(globalRate, listRecords(key)));
}

TEST_F(GlobalLimit, DoesNotCountRefusedRequests) {
  const HttpRequest list = listRecords(account.sandboxKey);
  EXPECT_EQ(admitted(25, list), 25);
  goTo(start + 999ms);
  EXPECT_EQ(admitted(100, list), 0);
  goTo(start + 1s);
  EXPECT_EQ(admitted(26, list), 25);
}

using EndpointLimit = Limits;

TEST_F(EndpointLimit, Is25RequestsPerSecondAcrossObjects) {
  for (const std::string& key : keys()) {
    switchOff(globalRate.limit);
    expectRate(endpointRate, 25, 1s, retrievesBy(key, 3));
  }
}

TEST_F(EndpointLimit, CountsEachOperationSeparately) {
  const std::string& key = account.liveKey;
  const Turns retrieves = retrievesBy(key, 2);
  EXPECT_EQ(admitted(30, retrieves), 25);
  EXPECT_EQ(admitted(30, listRecords(key)), 25);
  EXPECT_TRUE(refusedBy(endpointRate, retrieves.front()));
}

TEST_F(EndpointLimit, AppliesToReports) {
  const auto record = service.insert<PaymentRecord>(account.liveKey);
  expectRate(endpointRate, 25, 1s,
             {test::post(account.liveKey,
                         "/v1/payment_records/" + record.id.str() + "/report_payment_attempt_failed",
                         "failed_at=1")});
}

TEST_F(EndpointLimit, KeepsRefusedRequestsFromCountingAgainstTheGlobalLimit) {
  const std::string& key = account.liveKey;
  EXPECT_EQ(admitted(75, listRecords(key)), 25);
  Turns others = listsBy(key);
  others.erase(others.begin());
  EXPECT_EQ(admitted(80, others), 75);
  EXPECT_TRUE(refusedBy(globalRate, others.front()));
}

TEST_F(EndpointLimit, DoesNotCountRequestsThatTheGlobalLimitRefuses) {
  service.limits().set({.limit = globalRate.limit, .value = 10});
  EXPECT_EQ(admitted(40, listRecords(account.liveKey)), 10);
  switchOff(globalRate.limit);
  EXPECT_EQ(admitted(40, listRecords(account.liveKey)), 15);
}

using SeveralLimits = Limits;

/// Removes one limit after the other, and checks which one is named next.
TEST_F(SeveralLimits, RefuseARequestForTheFirstReasonInTheDocumentedOrder) {
  const Row rows[] = {globalConcurrency, endpointConcurrency, globalRate,
                      resourceSpecific("payout_creation")};
  for (const Row& row : rows)
    setNumber(row.limit, 0);
  for (const Row& row : rows) {
    EXPECT_TRUE(refusedBy(row, createPayout(account.liveKey)));
    switchOff(row.limit);
  }
  EXPECT_EQ(service.handle(createPayout(account.liveKey)).status, 200);
}

TEST_F(SeveralLimits, RefuseARequestForTheGlobalReasonBeforeTheEndpointReason) {
  const Row rows[] = {globalConcurrency, endpointConcurrency, globalRate, endpointRate};
  for (const Row& row : rows)
    setNumber(row.limit, 0);
  for (const Row& row : rows) {
    EXPECT_TRUE(refusedBy(row, listRecords(account.liveKey)));
    switchOff(row.limit);
  }
  EXPECT_EQ(service.handle(listRecords(account.liveKey)).status, 200);
}

TEST_F(SeveralLimits, DoNotCountARequestThatOneOfThemRefuses) {
  setNumber("payout_creation", 0);
  setNumber(globalConcurrency.limit, 5);
  EXPECT_EQ(admitted(50, createPayout(account.sandboxKey)), 0);
  EXPECT_EQ(usageOf(account, "global_rate", false).used, 0);
  EXPECT_EQ(usageOf(account, "payouts_in_progress", false).used, 0);
  EXPECT_EQ(usageOf(account, "global_concurrency", false).used, 0);
  EXPECT_EQ(usageOf(account, "payout_creation", false).used, 0);
}

using NamedLimit = Limits;
using NamedConcurrencyLimit = Limits;
using LimitOnQuantityUpdates = Limits;

TEST_F(NamedLimit, ReplacesTheEndpointLimitForPaymentIntentUpdates) {
  const auto intent = service.insert<PaymentIntent>(account.liveKey);
  EXPECT_EQ(admitted(100, updateIntent(account.liveKey, intent.id)), 100);
  EXPECT_TRUE(refusedBy(globalRate, updateIntent(account.liveKey, intent.id)));
}

TEST_F(NamedLimit, ReplacesTheEndpointLimitForSearches) {
  const HttpRequest search = test::get(account.liveKey, "/v1/payment_records/search?query=created%3E0");
  EXPECT_EQ(admitted(100, search), 100);
  EXPECT_TRUE(refusedBy(globalRate, search));
}

TEST_F(NamedLimit, KeepsTheEndpointLimitForOtherOperationsOfTheResource) {
  EXPECT_EQ(admitted(25, createIntent(account.liveKey)), 25);
  EXPECT_TRUE(refusedBy(endpointRate, createIntent(account.liveKey)));
}

TEST_F(NamedConcurrencyLimit, LeavesTheEndpointLimitInForce) {
  EXPECT_EQ(admitted(25, test::get(account.liveKey, "/v1/payouts")), 25);
  EXPECT_TRUE(refusedBy(endpointRate, test::get(account.liveKey, "/v1/payouts")));
}

TEST_F(LimitOnQuantityUpdates, ReplacesTheEndpointLimitOnlyForQuantityUpdates) {
  const std::string path = "/v1/subscriptions/" + service.insert<Subscription>(account.liveKey).id.str();
  const HttpRequest quantity = test::post(account.liveKey, path, "quantity=2");
  const HttpRequest description = test::post(account.liveKey, path, "description=Milk");
  EXPECT_EQ(admitted(60, quantity), 60);
  EXPECT_EQ(admitted(25, description), 25);
  EXPECT_TRUE(refusedBy(endpointRate, description));
  EXPECT_EQ(admitted(15, quantity), 15);
  EXPECT_TRUE(refusedBy(globalRate, quantity));
}

class PaymentIntentLimit : public Limits {
 protected:
  const Row updates = resourceSpecific("payment_intent_updates");
};

TEST_F(PaymentIntentLimit, Is1000UpdatesPerObjectPerHour) {
  switchOff(globalRate.limit);
  for (const std::string& key : keys())
    expectRate(updates, 1000, 1h, {updateIntent(key, service.insert<PaymentIntent>(key).id)});
}

TEST_F(PaymentIntentLimit, CountsEachObjectSeparately) {
  switchOff(globalRate.limit);
  const auto one = updateIntent(account.liveKey, service.insert<PaymentIntent>(account.liveKey).id);
  const auto other = updateIntent(account.liveKey, service.insert<PaymentIntent>(account.liveKey).id);
  EXPECT_EQ(admitted(1001, one), 1000);
  EXPECT_EQ(admitted(1000, other), 1000);
  EXPECT_TRUE(refusedBy(updates, other));
}

TEST_F(PaymentIntentLimit, CanBeReachedWithinTheGlobalLimit) {
  const auto update = updateIntent(account.sandboxKey, service.insert<PaymentIntent>(account.sandboxKey).id);
  for (int i = 0; i < 1000; ++i) {
    goTo(start + i * 40ms);
    ASSERT_EQ(service.handle(update).status, 200) << i;
  }
  goTo(start + 1h - 1ns);
  EXPECT_TRUE(refusedBy(updates, update));
  goTo(start + 1h);
  EXPECT_EQ(admitted(2, update), 1);
}

TEST_F(PaymentIntentLimit, CountsFailedUpdatesButNotReads) {
  switchOff(globalRate.limit);
  const auto intent = service.insert<PaymentIntent>(account.liveKey);
  EXPECT_EQ(admitted(10, updateIntent(account.liveKey, intent.id, "amount=5")), 10);
  EXPECT_EQ(admitted(10, test::get(account.liveKey, "/v1/payment_intents/" + intent.id.str())), 10);
  EXPECT_EQ(usageOf(account, updates.limit, true).used, 10);
}

TEST_F(PaymentIntentLimit, CountsUpdatesByAllCallersTogether) {
  switchOff(globalRate.limit);
  const auto platform = service.addAccount();
  service.connections().connect(platform, account);
  const auto id = service.insert<PaymentIntent>(account.liveKey).id;
  const auto own = updateIntent(account.liveKey, id);
  const auto named = onBehalfOf(account, updateIntent(platform.liveKey, id));
  const auto byToken = updateIntent(service.tokens().add(platform, account, true), id);
  EXPECT_EQ(admitted(1'001, Turns{own, named, byToken}), 1'000);
  for (const HttpRequest& request : {own, named, byToken})
    EXPECT_TRUE(refusedBy(updates, request));
  EXPECT_EQ(usageOf(account, updates.limit, true).used, 1'000);
  for (const fake::LimitUsage& line : service.usage().list(platform))
    EXPECT_NE(line.limit, updates.limit) << "the platform has no such object";
}

TEST_F(PaymentIntentLimit, IgnoresUpdatesByAccountsThatCannotAccessTheObject) {
  switchOff(globalRate.limit);
  const auto id = service.insert<PaymentIntent>(account.liveKey).id;
  const auto stranger = service.addAccount();
  EXPECT_EQ(admitted(1'001, updateIntent(stranger.liveKey, id)), 1'001) << "there is no such object";
  EXPECT_EQ(admitted(1'001, updateIntent(account.liveKey, id)), 1'000);
}

TEST_F(PaymentIntentLimit, LeavesRefusedRequestsFromAPlatformUncounted) {
  const auto platform = service.addAccount();
  service.connections().connect(platform, account);
  setNumber(updates.limit, 30);
  const auto id = service.insert<PaymentIntent>(account.sandboxKey).id;
  const auto named = onBehalfOf(account, updateIntent(platform.sandboxKey, id));
  EXPECT_EQ(admitted(26, named), 25);
  EXPECT_TRUE(refusedBy(globalRate, named));
  EXPECT_EQ(usageOf(account, updates.limit, false).used, 25);
  EXPECT_EQ(admitted(6, updateIntent(account.sandboxKey, id)), 5);
  goTo(start + 1s);
  EXPECT_TRUE(refusedBy(updates, named));
  EXPECT_EQ(usageOf(platform, globalRate.limit, false).used, 0);
}

class SubscriptionLimits : public Limits {
 protected:
  SubscriptionLimits() { switchOff(globalRate.limit); }

  Id<Subscription> subscription(const std::string& key) { return service.insert<Subscription>(key).id; }

  static HttpRequest invoice(const std::string& key, const Id<Subscription>& id,
                             const std::string& more = {}) {
    return test::post(key, "/v1/invoices", "subscription=" + id.str() + more);
  }
  static HttpRequest update(const std::string& key, const Id<Subscription>& id, const std::string& form) {
    return test::post(key, "/v1/subscriptions/" + id.str(), form);
  }

  const Row perMinute = resourceSpecific("new_invoices_per_minute");
  const Row perDay = resourceSpecific("new_invoices_per_day");
  const Row quantities = resourceSpecific("quantity_updates");
};

using SubscriptionWriteLimit = SubscriptionLimits;
using DailyInvoiceLimit = SubscriptionLimits;

TEST_F(SubscriptionWriteLimit, IsDisabledUntilItIsSet) {
  const auto create = test::post(account.liveKey, "/v1/subscriptions");
  const auto change = update(account.liveKey, subscription(account.liveKey), "description=a");
  EXPECT_EQ(admitted(30, create), 25);
  EXPECT_TRUE(refusedBy(endpointRate, create));
  EXPECT_EQ(admitted(30, change), 25);
}

TEST_F(SubscriptionWriteLimit, CountsCreationsAndUpdatesTogether) {
  const Row writes = resourceSpecific("subscription_writes");
  setNumber(writes.limit, 6);
  for (const std::string& key : keys()) {
    const auto change = update(key, subscription(key), "description=a");
    expectRate(writes, 6, 1s, {test::post(key, "/v1/subscriptions"), change});
    EXPECT_TRUE(refusedBy(writes, change));
    EXPECT_TRUE(refusedBy(writes, update(key, subscription(key), "quantity=3")));
    EXPECT_EQ(admitted(9, test::get(key, "/v1/subscriptions")), 9);
  }
}

TEST_F(SubscriptionWriteLimit, LeavesTheEndpointLimitInForce) {
  setNumber("subscription_writes", 40);
  EXPECT_EQ(admitted(50, test::post(account.liveKey, "/v1/subscriptions")), 25);
  EXPECT_EQ(admitted(50, update(account.liveKey, subscription(account.liveKey), "description=a")), 15);
}

TEST_F(SubscriptionLimits, AllowTenNewInvoicesPerMinute) {
  switchOff(perDay.limit);
  for (const std::string& key : keys())
    expectRate(perMinute, 10, 60s, {invoice(key, subscription(key))});
}

TEST_F(SubscriptionLimits, AllowTwentyNewInvoicesPerDay) {
  switchOff(perMinute.limit);
  for (const std::string& key : keys())
    expectRate(perDay, 20, 24h, {invoice(key, subscription(key))});
}

TEST_F(DailyInvoiceLimit, CanBeReachedWithinTwoMinutes) {
  const auto next = invoice(account.liveKey, subscription(account.liveKey));
  EXPECT_EQ(admitted(11, next), 10);
  goTo(start + 60s);
  EXPECT_EQ(admitted(10, next), 10);
  goTo(start + 120s);
  EXPECT_TRUE(refusedBy(perDay, next));
  goTo(start + 24h - 1ns);
  EXPECT_TRUE(refusedBy(perDay, next));
  goTo(start + 24h);
  EXPECT_EQ(admitted(11, next), 10);
}

TEST_F(SubscriptionLimits, CountTheInvoicesOfEachSubscriptionSeparately) {
  const std::string& key = account.sandboxKey;
  EXPECT_EQ(admitted(15, invoice(key, subscription(key))), 10);
  EXPECT_EQ(admitted(15, invoice(key, subscription(key))), 10);
}

TEST_F(SubscriptionLimits, DoNotCountRefusedOrFailedCreationsOfInvoices) {
  const std::string& key = account.sandboxKey;
  const auto id = subscription(key);
  EXPECT_EQ(admitted(15, invoice(key, id, "&amount=1")), 15);
  EXPECT_EQ(admitted(15, invoice(key, "sub_nobody")), 15);
  EXPECT_EQ(admitted(15, invoice(key, id)), 10);
  EXPECT_EQ(usageOf(account, perDay.limit, false).used, 10)
      << "a request refused by the limit per minute creates no invoice";
}

TEST_F(SubscriptionLimits, CountAnInvoiceEvenIfTheResponseIsLost) {
  const auto next = invoice(account.sandboxKey, subscription(account.sandboxKey));
  service.faults().inject({.times = 3, .fault = fake::Fault::responseLost});
  EXPECT_EQ(admitted(11, next), 10);
  EXPECT_EQ(usageOf(account, perMinute.limit, false).used, 10);
}

TEST_F(SubscriptionLimits, AllowTwoHundredQuantityUpdatesPerHour) {
  for (const std::string& key : keys())
    expectRate(quantities, 200, 1h, {update(key, subscription(key), "quantity=2")});
}

TEST_F(SubscriptionLimits, CountTheQuantityUpdatesOfEachSubscriptionSeparately) {
  const std::string& key = account.liveKey;
  EXPECT_EQ(admitted(201, update(key, subscription(key), "quantity=2")), 200);
  EXPECT_EQ(admitted(201, update(key, subscription(key), "quantity=2&description=Milk")), 200);
}

TEST_F(SubscriptionLimits, CountRequestsByAllCallersTogether) {
  const auto platform = service.addAccount();
  service.connections().connect(platform, account);
  const auto id = subscription(account.liveKey);
  const std::string token = service.tokens().add(platform, account, true);
  const auto turns = [&](const auto& make) {
    return Turns{make(account.liveKey), onBehalfOf(account, make(platform.liveKey)), make(token)};
  };
  const Turns invoices = turns([&](const std::string& key) { return invoice(key, id); });
  const Turns updates = turns([&](const std::string& key) { return update(key, id, "quantity=2"); });
  EXPECT_EQ(admitted(11, invoices), 10);
  EXPECT_TRUE(refusedBy(perMinute, invoices[0]));
  goTo(start + 60s);
  EXPECT_EQ(admitted(11, invoices), 10);
  goTo(start + 120s);
  for (const HttpRequest& request : invoices)
    EXPECT_TRUE(refusedBy(perDay, request));
  EXPECT_EQ(admitted(201, updates), 200);
  for (const HttpRequest& request : updates)
    EXPECT_TRUE(refusedBy(quantities, request));
}

TEST_F(SubscriptionLimits, DoNotCountOtherOrFailedUpdatesAsQuantityUpdates) {
  const std::string& key = account.liveKey;
  const auto id = subscription(key);
  EXPECT_EQ(admitted(25, update(key, id, "description=Milk")), 25);
  EXPECT_EQ(admitted(300, update(key, id, "quantity=-1")), 300);
  EXPECT_EQ(admitted(300, update(key, id, "quantity=2")), 200);
  EXPECT_TRUE(refusedBy(quantities, update(key, id, "quantity=2")));
  EXPECT_TRUE(refusedBy(endpointRate, update(key, id, "description=Milk")));
}

class FileLimits : public Limits {
 protected:
  FileLimits() { switchOff(globalRate.limit); }

  Turns reads(const std::string& key) {
    const std::string id = service.insert<File>(key).id.str();
    return {test::get(key, "/v1/files"), test::get(key, "/v1/files/" + id)};
  }
  static HttpRequest write(const std::string& key) {
    return test::post(key, "/v1/files", "purpose=evidence&filename=a");
  }

  const Row fileReads = resourceSpecific("file_reads");
  const Row fileWrites = resourceSpecific("file_writes");
};

TEST_F(FileLimits, AllowTwentyReadsPerSecondAcrossRetrievalsAndLists) {
  for (const std::string& key : keys())
    expectRate(fileReads, 20, 1s, reads(key));
}

TEST_F(FileLimits, AllowTwentyWritesPerSecond) {
  for (const std::string& key : keys())
    expectRate(fileWrites, 20, 1s, {write(key)});
}

TEST_F(FileLimits, CountReadsAndWritesSeparately) {
  const std::string& key = account.liveKey;
  EXPECT_EQ(admitted(21, reads(key)), 20);
  EXPECT_EQ(admitted(21, write(key)), 20);
}

TEST_F(Limits, Allow15PayoutCreationsPerSecond) {
  for (const std::string& key : keys())
    expectRate(resourceSpecific("payout_creation"), 15, 1s, {createPayout(key)});
}

TEST_F(Limits, CountFailedPayoutCreations) {
  EXPECT_EQ(admitted(15, test::post(account.liveKey, "/v1/payouts", "amount=5")), 15);
  EXPECT_TRUE(refusedBy(resourceSpecific("payout_creation"), createPayout(account.liveKey)));
}

class AccountCreation : public Limits {
 protected:
  static Turns bothVersions(const std::string& key) { return {createAccount(key), createCoreAccount(key)}; }

  const Row creations = resourceSpecific("account_creation");
};

TEST_F(AccountCreation, IsLimitedTo30PerSecondInLiveModeAcrossBothVersions) {
  expectRate(creations, 30, 1s, bothVersions(account.liveKey));
}

TEST_F(AccountCreation, IsLimitedTo5PerSecondInTheSandboxAcrossBothVersions) {
  expectRate(creations, 5, 1s, bothVersions(account.sandboxKey));
}

TEST_F(AccountCreation, IsNotCountedIfItFails) {
  EXPECT_EQ(admitted(15, createAccount(account.sandboxKey, "name=x")), 15);
  EXPECT_EQ(admitted(6, createAccount(account.sandboxKey)), 5);
}

TEST_F(AccountCreation, ConnectsTheAccountToThePlatformOnlyInTheModeOfTheKey) {
  for (const HttpRequest& request : bothVersions(account.sandboxKey)) {
    const HttpResponse created = service.handle(request);
    const auto made = service.accounts().get(test::text(test::bodyOf(created).at("id")));
    const auto status = [&](const HttpRequest& sent) { return service.handle(sent).status; };
    EXPECT_EQ(status(onBehalfOf(made, listRecords(account.sandboxKey))), 200);
    EXPECT_EQ(status(onBehalfOf(made, listRecords(account.liveKey))), 403);
    EXPECT_EQ(status(onBehalfOf(made, listRecords(service.addAccount().sandboxKey))), 403);
    EXPECT_EQ(status(listRecords(made.sandboxKey)), 200);
    EXPECT_EQ(service.requests().list().back().account, made.id);
    EXPECT_EQ(status(listRecords(made.liveKey)), 200);
  }
}

class SearchLimit : public Limits {
 protected:
  static Turns searches(const std::string& key) {
    Turns turns;
    for (const char* resource : {"payment_records", "payment_intents", "subscriptions", "invoices"})
      turns.push_back(test::get(key, std::string{"/v1/"} + resource + "/search?query=created%3E0&limit=1"));
    return turns;
  }
};

TEST_F(SearchLimit, Is120SearchesPerSecondAcrossResources) {
  setNumber(globalRate.limit, 1'000);
  for (const std::string& key : keys())
    expectRate(resourceSpecific("searches"), 120, 1s, searches(key));
}

TEST_F(SearchLimit, LeavesTheGlobalLimitInForce) {
  EXPECT_EQ(admitted(120, searches(account.liveKey)), 100);
  EXPECT_EQ(admitted(120, searches(account.sandboxKey)), 25);
  EXPECT_TRUE(refusedBy(globalRate, searches(account.liveKey).front()));
}

class CardCreation : public Limits {
 protected:
  CardCreation() { switchOff(globalRate.limit); }

  std::string keyOf(const std::string& country, const std::string& industry) {
    return service.addAccount({.country = country, .industry = industry}).liveKey;
  }

  const Row cards = resourceSpecific("card_creation");
};

TEST_F(CardCreation, HasNoLimitUntilOneIsSet) {
  for (const std::string& key : keys())
    EXPECT_EQ(admitted(500, createCard(key)), 500);
}

TEST_F(CardCreation, CanBeLimitedByTheCountryAndIndustryOfTheAccount) {
  const std::string before = keyOf("de", "travel");
  service.limits().set({.limit = cards.limit, .value = 3, .country = "de", .industry = "travel"});
  const std::string after = keyOf("de", "travel");
  expectRate(cards, 3, 1s, {createCard(before)});
  expectRate(cards, 3, 1s, {createCard(after)});
  EXPECT_EQ(admitted(50, createCard(keyOf("de", "retail"))), 50);
  EXPECT_EQ(admitted(50, createCard(keyOf("fr", "travel"))), 50);
}

TEST_F(CardCreation, CanBeLimitedByCountryOrIndustryAlone) {
  service.limits().set({.limit = cards.limit, .value = 3, .country = "de"});
  service.limits().set({.limit = cards.limit, .value = 2, .industry = "travel"});
  EXPECT_EQ(admitted(9, createCard(keyOf("de", "retail"))), 3);
  EXPECT_EQ(admitted(9, createCard(keyOf("fr", "travel"))), 2);
  EXPECT_EQ(admitted(9, createCard(keyOf("de", "travel"))), 2) << "the latest setting applies";
  EXPECT_EQ(admitted(9, createCard(keyOf("fr", "retail"))), 9);
}

TEST_F(CardCreation, IsLimitedByTheCountryOfAnAccountCreatedByARequest) {
  service.limits().set({.limit = cards.limit, .value = 3, .country = "NO"});
  const HttpResponse created = service.handle(createAccount(account.liveKey, "country=NO"));
  const auto made = service.accounts().get(test::text(test::bodyOf(created).at("id")));
  EXPECT_EQ(admitted(9, createCard(made.liveKey)), 3);
  EXPECT_EQ(admitted(9, createCard(account.liveKey)), 9);
}

TEST_F(CardCreation, CountsAgainstTheIssuingAccount) {
  service.limits().set({.limit = cards.limit, .value = 3, .country = "de"});
  service.limits().set({.limit = cards.limit, .value = 5, .country = "fr"});
  const auto platform = service.addAccount({.country = "fr"});
  const auto german = service.addAccount({.country = "de"});
  const auto american = service.addAccount();
  for (const auto& connected : {german, american})
    service.connections().connect(platform, connected);
  const auto forGerman = onBehalfOf(german, createCard(platform.liveKey));
  EXPECT_EQ(admitted(9, forGerman), 3);
  EXPECT_TRUE(refusedBy(cards, forGerman));
  EXPECT_TRUE(refusedBy(cards, createCard(german.liveKey))) << "its own requests count with the platform's";
  EXPECT_EQ(admitted(9, onBehalfOf(american, createCard(platform.liveKey))), 9);
  EXPECT_EQ(admitted(9, createCard(platform.liveKey)), 5) << "only its own cards count";
  EXPECT_EQ(usageOf(german, cards.limit, true).used, 3);
  const std::string token = service.tokens().add(platform, german, true);
  EXPECT_TRUE(refusedBy(cards, createCard(token)));
  EXPECT_EQ(service.usage().of(token, cards.limit).allowed, 3);
}

TEST_F(CardCreation, IsNotCountedIfItFails) {
  setNumber(cards.limit, 3);
  EXPECT_EQ(admitted(9, createCard(account.liveKey, "name=x")), 9);
  EXPECT_EQ(admitted(9, createCard(account.liveKey)), 3);
}

}  // namespace
}  // namespace tally::conformance
