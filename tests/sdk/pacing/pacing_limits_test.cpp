// The service never refuses a paced client, and pacing is as fast as the service allows.

#include "sdk/support/paced.h"

namespace tally::test {
namespace {

class PacingLimits : public Paced {
 protected:
  void TearDown() override { EXPECT_EQ(refusals(), std::vector<std::string>{}); }
};

TEST_F(PacingLimits, AllowAnEndpointToBeUsedAtItsLimit) {
  EXPECT_EQ(timeOf(1'000, [&](int) { return retrieve(); }), 39s);
}

TEST_F(PacingLimits, IncludeTheGlobalLimitOfTheSandbox) {
  EXPECT_EQ(timeOf(250, [&](int n) { return n % 2 == 0 ? retrieve() : listed(client); }), 9s);
}

TEST_F(PacingLimits, ApplyToRawRequestsOfKnownOperations) {
  const RawRequest raw{.path = "/v1/payment_records/" +
                               service.insert<PaymentRecord>(account.sandboxKey).id.str()};
  EXPECT_EQ(timeOf(1'000, [&](int n) { return n % 2 == 0 ? retrieve() : client.send(raw).has_value(); }),
            39s);
}

TEST_F(PacingLimits, ApplyToParametersOfRawRequests) {
  const std::string id = service.insert<Subscription>(account.sandboxKey).id.str();
  const RawRequest invoice{.method = Method::post, .path = "/v1/invoices", .params = {{"subscription", id}}};
  EXPECT_EQ(timeOf(10, [&](int) { return client.send(invoice).has_value(); }), 0s);
  EXPECT_EQ(timeOf(1, [&](int) { return client.invoices().create({.subscription = id}).has_value(); }), 1min);
  const RawRequest update{
      .method = Method::post, .path = "/v1/subscriptions/" + id, .params = {{"quantity", "2"}}};
  EXPECT_LT(timeOf(200, [&](int) { return client.send(update).has_value(); }), 10s);
  EXPECT_GT(timeOf(1, [&](int) { return client.send(update).has_value(); }), 59min);
}

TEST_F(PacingLimits, ApplyGloballyToRawRequestsOfUnknownOperations) {
  const auto send = [&](int n) {
    return n % 2 == 0 ? retrieve() : client.send({.path = "/v1/tea"}).error() == ErrorKind::notFound;
  };
  EXPECT_EQ(timeOf(250, send), 9s);
}

TEST_F(PacingLimits, AreThoseOfLiveModeForLiveKeys) {
  const Client live = clientFor(account.liveKey);
  const auto id = service.insert<PaymentRecord>(account.liveKey).id;
  const auto intent = service.insert<PaymentIntent>(account.liveKey).id;
  const auto calls = std::to_array<std::function<bool()>>({
      [&] { return live.paymentRecords().retrieve(id).has_value(); },
      [&] { return listed(live); },
      [&] { return live.paymentIntents().retrieve(intent).has_value(); },
      [&] { return live.subscriptions().create().has_value(); },
      [&] { return live.paymentIntents().create({.amount = 1, .currency = "eur"}).has_value(); },
  });
  EXPECT_EQ(timeOf(1'000, [&](int n) { return calls[static_cast<std::size_t>(n) % calls.size()](); }), 9s)
      << "100 a second for all, 25 for each";
}

TEST_F(PacingLimits, ApplySeparatelyToEachModeAndAccount) {
  const fake::Account other = service.addAccount();
  for (const std::string& key : {account.sandboxKey, account.liveKey, other.sandboxKey, other.liveKey})
    EXPECT_EQ(timeOf(25, [by = clientFor(key), this](int) { return listed(by); }), 0s);
}

TEST_F(PacingLimits, CountSearchesOfAllResourcesTogether) {
  setBoth("global_rate", 1'000);
  const auto search = [&](int n) {
    if (n % 2 == 0) return !client.paymentRecords().search({.query = "created>0"}).begin()->has_error();
    for (auto& found : client.invoices().search({.query = "created>0"}))
      return found.has_value();
    return true;
  };
  EXPECT_EQ(timeOf(600, search), 4s) << "120 a second, instead of 25 for each";
}

TEST_F(PacingLimits, RestrictTheUpdatesOfAPaymentIntentPerHour) {
  setBoth("global_rate", std::nullopt);
  const auto id = service.insert<PaymentIntent>(account.sandboxKey).id;
  const auto other = service.insert<PaymentIntent>(account.sandboxKey).id;
  const auto update = [&](const Id<PaymentIntent>& intent) {
    return client.paymentIntents().update(intent, {.description = "x"}).has_value();
  };
  EXPECT_EQ(timeOf(1'000, [&](int) { return update(id); }), 0s);
  EXPECT_EQ(timeOf(1'000, [&](int) { return update(other); }), 0s) << "each has its own";
  EXPECT_EQ(timeOf(1, [&](int) { return update(id); }), 1h);
}

TEST_F(PacingLimits, CountRequestsOnManyObjectsSeparately) {
  setBoth("global_rate", std::nullopt);
  setBoth("payment_intent_updates", 2);
  const auto first = service.insert<PaymentIntent>(account.sandboxKey).id;
  const auto update = [&](const Id<PaymentIntent>& intent) {
    return client.paymentIntents().update(intent, {.description = "x"}).has_value();
  };
  EXPECT_TRUE(update(first));
  const auto another = [&](int) { return update(service.insert<PaymentIntent>(account.sandboxKey).id); };
  EXPECT_EQ(timeOf(2'500, another), 0s);
  EXPECT_EQ(timeOf(2, [&](int) { return update(first); }), 1h) << "it is not evicted by the others";
}

TEST_F(PacingLimits, RestrictQuantityUpdatesOfASubscriptionPerHour) {
  setBoth("global_rate", std::nullopt);
  const auto id = service.insert<Subscription>(account.sandboxKey).id;
  const auto change = [&](int n) {
    return client.subscriptions().update(id, {.quantity = n + 1}).has_value();
  };
  EXPECT_EQ(timeOf(200, change), 0s);
  const auto describe = [&](int) {
    return client.subscriptions().update(id, {.description = "x"}).has_value();
  };
  EXPECT_EQ(timeOf(50, describe), 1s) << "without a quantity, 25 per second";
  EXPECT_EQ(timeOf(1, change), 1h - 1s);
}

TEST_F(PacingLimits, RestrictNewInvoicesOfASubscriptionPerMinuteAndPerDay) {
  const auto id = service.insert<Subscription>(account.sandboxKey).id;
  const auto create = [&](int) { return client.invoices().create({.subscription = id}).has_value(); };
  EXPECT_EQ(timeOf(10, create), 0s);
  const auto other = service.insert<Subscription>(account.sandboxKey).id;
  EXPECT_EQ(timeOf(1, [&](int) { return client.invoices().create({.subscription = other}).has_value(); }),
            0s);
  EXPECT_EQ(timeOf(1, create), 60s);
  EXPECT_EQ(timeOf(9, create), 0s);
  EXPECT_EQ(timeOf(1, create), 24h - 60s);
}

TEST_F(PacingLimits, IgnoreRequestsThatChangedNothing) {
  const auto id = service.insert<Subscription>(account.sandboxKey).id;
  const auto create = [&](const std::string& subscription) {
    return client.invoices().create({.subscription = Id<Subscription>{subscription}}).has_value();
  };
  EXPECT_EQ(timeOf(20, [&](int) { return !create("sub_none"); }), 0s);
  service.clock()->advance(1s);
  EXPECT_EQ(timeOf(10, [&](int) { return create(id.str()); }), 0s);
}

TEST_F(PacingLimits, IncludeNamedLimitsForFilesAccountsAndPayouts) {
  EXPECT_EQ(
      timeOf(60, [&](int) { return client.files().create({.purpose = "a", .filename = "b"}).has_value(); }),
      2s);
  service.clock()->advance(1s);
  EXPECT_EQ(timeOf(20, [&](int) { return client.accounts().create().has_value(); }), 3s);
  service.clock()->advance(1s);
  EXPECT_EQ(
      timeOf(60, [&](int) { return client.payouts().create({.amount = 1, .currency = "eur"}).has_value(); }),
      3s);
}

TEST_F(PacingLimits, CanBeOverridden) {
  setBoth("endpoint_rate", 50);
  setBoth("global_rate", 80);
  EXPECT_EQ(timeOf(200, [&](int) { return retrieve(); }), 3s);
  service.clock()->advance(1s);
  EXPECT_EQ(timeOf(160, [&](int n) { return n % 2 == 0 ? retrieve() : listed(client); }), 1s);
}

TEST_F(PacingLimits, CanBeOverriddenForOneOperationInOneMode) {
  const LimitOverride setting{
      .limit = "endpoint_rate", .value = 5, .livemode = false, .operation = "payment_records.retrieve"};
  service.limits().set(setting);
  pace({.limits = {setting}});
  EXPECT_EQ(timeOf(10, [&](int) { return retrieve(); }), 1s);
  service.clock()->advance(1s);
  EXPECT_EQ(timeOf(25, [&](int) { return listed(client); }), 0s);
  EXPECT_EQ(timeOf(25, [&, live = clientFor(account.liveKey)](int) { return listed(live); }), 0s);
}

TEST_F(PacingLimits, AreSharedByTheClientsOfAPacer) {
  const Client other = clientFor(account.sandboxKey);
  EXPECT_EQ(timeOf(100, [&](int n) { return listed(n % 2 == 0 ? client : other); }), 3s);
}

TEST_F(PacingLimits, CanBeSharedByTheKeysOfAnAccount) {
  pace({.livemode = false, .singleAccount = true});
  const Client other = clientFor(service.tokens().add(account, false));
  EXPECT_EQ(timeOf(100, [&](int n) { return listed(n % 2 == 0 ? client : other); }), 3s);
}

TEST_F(PacingLimits, TreatAccessTokensAsLiveByDefault) {
  const Client live = clientFor(service.tokens().add(account, true));
  const auto read = [&](int n) {
    if (n % 2 == 0) return listed(live);
    return !live.paymentIntents().list().begin()->has_error();
  };
  service.insert<PaymentIntent>(account.liveKey);
  EXPECT_EQ(timeOf(50, read), 0s);
  pace({.livemode = false});
  EXPECT_EQ(
      timeOf(50, [&, test = clientFor(service.tokens().add(account, false))](int) { return listed(test); }),
      1s);
}

TEST_F(PacingLimits, CountRequestsForConnectedAccountsAgainstThePlatform) {
  std::vector<std::string> connected{""};
  for (int n = 0; n < 3; ++n) {
    const fake::Account added = service.addAccount();
    service.connections().connect(account, added);
    connected.push_back(added.id);
  }
  const auto list = [&](int n) {
    return listed(client, {.connectedAccount = connected[static_cast<std::size_t>(n) % connected.size()]});
  };
  EXPECT_EQ(timeOf(100, list), 3s);
}

TEST_F(PacingLimits, CountCardsAgainstTheIssuingAccount) {
  setBoth("card_creation", 3);
  const fake::Account otherPlatform = service.addAccount();
  std::vector<std::string> connected{""};
  for (int n = 0; n < 2; ++n) {
    const fake::Account added = service.addAccount();
    for (const fake::Account& platform : {account, otherPlatform})
      service.connections().connect(platform, added);
    connected.push_back(added.id);
  }
  const auto create = [&](const Client& by, std::size_t whose) {
    return by.issuingCards().create({}, {.connectedAccount = connected[whose]}).has_value();
  };
  const auto each = [&](int n) { return create(client, static_cast<std::size_t>(n) % 3); };
  EXPECT_EQ(timeOf(9, each), 0s) << "three for each, and three for the platform itself";
  EXPECT_EQ(usage("card_creation", "", connected[1]).used, 3);
  EXPECT_EQ(timeOf(1, [&, by = clientFor(otherPlatform.sandboxKey)](int) { return create(by, 1); }), 1s)
      << "regardless of the caller";
  EXPECT_EQ(timeOf(7, each), 0s);
}

TEST_F(PacingLimits, CountRequestsOfAllCallersOnAnObjectTogether) {
  const fake::Account owner = service.addAccount();
  service.connections().connect(account, owner);
  setBoth("global_rate", std::nullopt);
  setBoth("payment_intent_updates", 10);
  const auto id = service.insert<PaymentIntent>(owner.liveKey).id;
  const RequestOptions named{.connectedAccount = owner.id};
  const RequestOptions ownKey{.apiKey = owner.liveKey};
  const Client platform = clientFor(account.liveKey);
  const Client own = clientFor(owner.liveKey);
  const Client byToken = clientFor(service.tokens().add(account, owner, true));
  const auto update = [&](int n) {
    if (n % 4 == 2) return own.paymentIntents().update(id, {.description = "x"}).has_value();
    if (n % 4 == 3) return byToken.paymentIntents().update(id, {.description = "x"}).has_value();
    return platform.paymentIntents()
        .update(id, {.description = "x"}, n % 4 == 0 ? named : ownKey)
        .has_value();
  };
  EXPECT_EQ(timeOf(10, update), 0s);
  EXPECT_EQ(timeOf(1, update), 1h);
  EXPECT_EQ(timeOf(9, update), 0s);
  EXPECT_EQ(timeOf(1, [&](int) { return update(2); }), 1h);
}

TEST_F(PacingLimits, AreListedForAnObjectOnlyToItsCallers) {
  const fake::Account owner = service.addAccount();
  service.connections().connect(account, owner);
  const auto id = service.insert<PaymentIntent>(owner.sandboxKey).id;
  const auto update = [&](const Client& by, const RequestOptions& options) {
    EXPECT_TRUE(by.paymentIntents().update(id, {.description = "x"}, options).has_value());
  };
  update(client, {.connectedAccount = owner.id});
  update(clientFor(owner.sandboxKey), {});
  const auto usedBy = [&](const std::string& key, const std::string& connected) {
    std::vector<std::int64_t> used;
    for (const PacerUsage& line : pacer->usage(key, service.clock()->now(), connected))
      if (line.object == id.str()) used.push_back(line.used);
    return used;
  };
  EXPECT_EQ(usedBy(account.sandboxKey, owner.id), std::vector<std::int64_t>{2});
  EXPECT_EQ(usedBy(owner.sandboxKey, ""), std::vector<std::int64_t>{2});
  EXPECT_EQ(usedBy(account.sandboxKey, ""), std::vector<std::int64_t>{});
  EXPECT_EQ(usedBy(service.addAccount().sandboxKey, ""), std::vector<std::int64_t>{});
}

TEST_F(PacingLimits, ApplyToTheKeyInTheAuthorizationHeader) {
  const fake::Account other = service.addAccount();
  const RequestOptions asOther{.headers = {{"authorization", "Bearer " + other.sandboxKey}}};
  EXPECT_EQ(timeOf(50, [&](int n) { return listed(client, n % 2 == 0 ? asOther : RequestOptions{}); }), 0s);
}

TEST_F(PacingLimits, CountEachAttemptAndEachPage) {
  for (int n = 0; n < 50; ++n)
    (void)service.insert<PaymentRecord>(account.sandboxKey);
  int found = 0;
  const Instant start = service.clock()->now();
  for (auto& each : client.paymentRecords().list({.limit = 1}))
    found += each.has_value() ? 1 : 0;
  EXPECT_EQ(found, 51);
  EXPECT_EQ(service.clock()->now() - start, 2s);
  service.clock()->advance(1s);
  service.faults().inject({.times = 25, .error = "api_error"});
  ClientOptions options = optionsFor(account.sandboxKey);
  options.backoff = {.initial = 1ms, .cap = 1ms};
  options.retryBudget = {.maxTokens = 100};
  client = Client{options};
  EXPECT_EQ(timeOf(1, [&](int) { return retrieve({.maxNetworkRetries = 25}); }), 1s);
}

TEST_F(PacingLimits, CountRequestsWithLostResponsesButNotUnsentRequests) {
  service.faults().inject({.times = 100, .fault = fake::Fault::connectionRefused});
  EXPECT_EQ(timeOf(100, [&](int) { return !retrieve(); }), 0s);
  service.faults().inject({.times = 25, .fault = fake::Fault::responseLost});
  EXPECT_EQ(timeOf(25, [&](int) { return !retrieve(); }), 0s);
  EXPECT_EQ(timeOf(1, [&](int) { return retrieve(); }), 1s);
}

TEST_F(PacingLimits, AreObeyedInLongRuns) {
  setBoth("global_rate", 7);
  const auto twice = [&](int n) { return n % 3 == 0 ? retrieve() : listed(client); };
  EXPECT_EQ(timeOf(701, twice), 100s);
}

TEST_F(PacingLimits, ApplyWithTheLongestRecoveryAndAssumedUse) {
  pace({.recovery = std::chrono::seconds::max(), .assumeUsed = std::chrono::seconds::max()});
  EXPECT_EQ(timeOf(26, [&](int) { return retrieve(); }), 2s) << "the first second is full";
}

class DisabledPacing : public Paced {};

TEST_F(DisabledPacing, LetsTheServiceRefuseRequests) {
  client = Client{service.clientOptions(account.sandboxKey)};
  for (int n = 0; n < 25; ++n)
    EXPECT_TRUE(retrieve());
  EXPECT_FALSE(retrieve());
}

TEST(PacerOptionsCheck, ExplainsWhyAnOptionIsInvalid) {
  const auto wrongWith = [](const PacerOptions& options) -> std::string {
    try {
      const Pacer pacer{options};
    } catch (const std::invalid_argument& wrong) {
      return wrong.what();
    }
    return "nothing";
  };
  EXPECT_EQ(wrongWith({}), "nothing");
  EXPECT_EQ(wrongWith({.limits = {{.limit = "globe_rate"}}}),
            "unknown limit 'globe_rate'; did you mean 'global_rate'?");
  EXPECT_EQ(wrongWith({.limits = {{.limit = "global_rate", .value = 0}}}),
            "the limit 'global_rate' of a pacer must be at least 1");
  EXPECT_EQ(wrongWith({.limits = {{.limit = "card_creation", .value = 3, .country = "US"}}}),
            "a limit of a pacer can't name a country or an industry");
  using std::chrono::milliseconds;
  using std::chrono::seconds;
  for (const seconds wrong : {0s, -1s, seconds::min()})
    EXPECT_EQ(wrongWith({.recovery = wrong}), "PacerOptions::recovery must be more than 0");
  EXPECT_EQ(wrongWith({.recovery = seconds::max()}), "nothing");
  for (const milliseconds wrong : {-1ms, 60'001ms, milliseconds::min(), milliseconds::max()})
    EXPECT_EQ(wrongWith({.windowMargin = wrong}), "PacerOptions::windowMargin must be from 0 to 1 minute");
  for (const milliseconds right : {0ms, 60'000ms})
    EXPECT_EQ(wrongWith({.windowMargin = right}), "nothing");
  for (const seconds wrong : {-1s, seconds::min()})
    EXPECT_EQ(wrongWith({.assumeUsed = wrong}), "PacerOptions::assumeUsed must be at least 0");
  EXPECT_EQ(wrongWith({.assumeUsed = seconds::max()}), "nothing");
}

}  // namespace
}  // namespace tally::test
