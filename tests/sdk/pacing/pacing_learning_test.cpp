// What a pacer learns from refusals of each reason, and that it forgets it.

#include "sdk/support/paced.h"

namespace tally::test {
namespace {

class PacingLearning : public Paced {
 protected:
  /// Waits until requests of an earlier process would no longer count.
  PacingLearning() { wait(firstDay); }
  void pace(const PacerOptions& options) {
    Paced::pace(options);
    wait(firstDay);
  }

  /// Refuses the next request, of `operation` or any, for that reason.
  void refuse(const std::string& reason, const std::string& operation = {}) {
    service.faults().inject({.operation = operation, .error = "rate_limit", .rateLimitedReason = reason});
  }
  void wait(std::chrono::nanoseconds duration) { service.clock()->advance(duration); }

  /// How many calls proceed before one has to wait.
  int atOnce(const std::function<bool()>& call) {
    const Instant now = service.clock()->now();
    int count = 0;
    for (; call() && service.clock()->now() == now; ++count)
      if (count > 200) return count;
    return count;
  }

  std::string retrieval = "payment_records.retrieve";
  static constexpr std::chrono::hours firstDay{24};
};

TEST_F(PacingLearning, SlowsOnlyTheEndpointOnAnEndpointRateRefusal) {
  pace({.recovery = 1h});
  EXPECT_EQ(timeOf(9, [&](int) { return retrieve(); }), 0s);
  refuse("endpoint-rate", retrieval);
  EXPECT_FALSE(retrieve());
  EXPECT_EQ(usage("endpoint_rate", retrieval).allowed, 5) << "half of the requests sent in that second";
  EXPECT_EQ(usage("endpoint_rate", retrieval).configured, 25);
  EXPECT_EQ(usage("global_rate").allowed, 25);
  wait(1s);
  EXPECT_EQ(atOnce([&] { return listed(client); }), 25) << "other endpoints are not slowed down";
  wait(1s);
  EXPECT_EQ(atOnce([&] { return retrieve(); }), 5);
}

TEST_F(PacingLearning, SlowsAllEndpointsOnAGlobalRateRefusal) {
  pace({.recovery = 1h});
  EXPECT_EQ(timeOf(19, [&](int n) { return n % 2 == 0 ? retrieve() : listed(client); }), 0s);
  refuse("global-rate");
  EXPECT_FALSE(retrieve());
  wait(1s);
  int calls = 0;
  EXPECT_EQ(atOnce([&] { return ++calls % 2 == 0 ? retrieve() : listed(client); }), 10);
}

TEST_F(PacingLearning, SlowsTheResourceOnAResourceSpecificRefusal) {
  pace({.recovery = 1h});
  const auto create = [&] { return client.files().create({.purpose = "a", .filename = "b"}).has_value(); };
  const auto search = [&](const auto& records) {
    for (auto& found : records.search({.query = "created>0"}))
      return found.has_value();
    return true;
  };
  EXPECT_EQ(timeOf(7, [&](int) { return create(); }), 0s);
  EXPECT_EQ(timeOf(7, [&](int) { return search(client.paymentRecords()); }), 0s);
  refuse("resource-specific", "payment_records.search");
  EXPECT_FALSE(search(client.paymentRecords()));
  wait(1s);
  EXPECT_EQ(atOnce([&] { return search(client.invoices()); }), 4) << "another endpoint of that resource";
  wait(1s);
  EXPECT_EQ(atOnce(create), 20) << "another resource";
}

TEST_F(PacingLearning, LowersAnObjectLimitOnlyForTheAffectedObject) {
  const auto one = service.insert<Subscription>(account.sandboxKey).id;
  const auto other = service.insert<Subscription>(account.sandboxKey).id;
  const auto create = [&](const auto& id) {
    return client.invoices().create({.subscription = id}).has_value();
  };
  EXPECT_EQ(timeOf(3, [&](int) { return create(one); }), 0s);
  refuse("resource-specific", "invoices.create");
  EXPECT_FALSE(create(one));
  EXPECT_EQ(usage("new_invoices_per_minute").allowed, 2);
  EXPECT_EQ(usage("new_invoices_per_minute").object, one.str());
  EXPECT_EQ(usage("new_invoices_per_day").allowed, 20) << "it would take a day to recover";
  EXPECT_EQ(atOnce([&] { return create(other); }), 10);
}

TEST_F(PacingLearning, RecoversLinearly) {
  EXPECT_EQ(timeOf(24, [&](int) { return retrieve(); }), 0s);
  refuse("endpoint-rate");
  EXPECT_FALSE(retrieve());
  const auto number = [&] { return usage("endpoint_rate", retrieval).allowed; };
  EXPECT_EQ(number(), 12);
  wait(30s);
  EXPECT_EQ(number(), 18);
  wait(30s - 1ns);
  EXPECT_EQ(number(), 24);
  wait(1ns);
  EXPECT_EQ(usage("endpoint_rate", retrieval), PacerUsage{});
  EXPECT_EQ(atOnce([&] { return retrieve(); }), 25);
}

TEST_F(PacingLearning, RecoversInTheConfiguredTime) {
  pace({.recovery = 10s});
  refuse("endpoint-rate");
  EXPECT_FALSE(retrieve());
  EXPECT_EQ(usage("endpoint_rate", retrieval).allowed, 1);
  wait(9s);
  EXPECT_EQ(usage("endpoint_rate", retrieval).allowed, 22);
  wait(1s);
  EXPECT_EQ(atOnce([&] { return retrieve(); }), 25);
}

TEST_F(PacingLearning, KeepsSendingToASlowedEndpoint) {
  for (int n = 0; n < 10; ++n) {
    refuse("endpoint-rate");
    EXPECT_FALSE(retrieve());
    wait(1s);
  }
  EXPECT_LE(timeOf(30, [&](int) { return retrieve(); }), 30s);
}

/// A named limit replaces the endpoint rate. It is not lowered.
TEST_F(PacingLearning, LearnsAnUndocumentedEndpointRate) {
  pace({.recovery = 1h});
  const auto id = service.insert<PaymentIntent>(account.sandboxKey).id;
  const auto other = service.insert<PaymentIntent>(account.sandboxKey).id;
  const auto update = [&](const Id<PaymentIntent>& intent) {
    return client.paymentIntents().update(intent, {.description = "x"}).has_value();
  };
  EXPECT_EQ(timeOf(9, [&](int) { return update(id); }), 0s);
  EXPECT_EQ(usage("endpoint_rate", "payment_intents.update"), PacerUsage{}) << "no limit yet";
  refuse("endpoint-rate", "payment_intents.update");
  EXPECT_FALSE(update(id));
  EXPECT_EQ(usage("payment_intent_updates").allowed, 1'000);
  EXPECT_EQ(usage("payment_intent_updates").used, 9) << "the refused request did not count";
  EXPECT_EQ(usage("endpoint_rate", "payment_intents.update").allowed, 5);
  EXPECT_EQ(usage("endpoint_rate", "payment_intents.update").configured, std::nullopt);
  EXPECT_EQ(timeOf(1, [&](int) { return update(other); }), 1s) << "and no more";
  EXPECT_EQ(atOnce([&] { return update(other); }), 4);
  wait(1h);
  EXPECT_EQ(atOnce([&] { return update(id); }), 25) << "as many as the account allows";
}

TEST_F(PacingLearning, LearnsAnEndpointRateAlongsideANamedLimit) {
  const auto id = service.insert<Subscription>(account.sandboxKey).id;
  refuse("endpoint-rate", "subscriptions.update");
  EXPECT_FALSE(client.subscriptions().update(id, {.quantity = 2}));
  EXPECT_EQ(usage("endpoint_rate", "subscriptions.update").allowed, 1);
  EXPECT_EQ(usage("quantity_updates"), PacerUsage{});
  EXPECT_EQ(timeOf(1, [&](int) { return client.subscriptions().update(id, {.quantity = 3}).has_value(); }),
            1s);
}

TEST_F(PacingLearning, CountsARefusedRequestOnlyAgainstTheLimitThatRefusedIt) {
  EXPECT_EQ(timeOf(5, [&](int) { return retrieve(); }), 0s);
  refuse("endpoint-rate");
  EXPECT_FALSE(retrieve());
  EXPECT_EQ(usage("endpoint_rate", retrieval).used, 6);
  EXPECT_EQ(usage("global_rate").used, 5);
}

/// Not half of the rate for a minute.
TEST_F(PacingLearning, LosesAFractionOfASecondAfterARefusalAtFullUse) {
  EXPECT_EQ(timeOf(25, [&](int) { return retrieve(); }), 0s);
  wait(1s);
  refuse("endpoint-rate");
  EXPECT_FALSE(retrieve()) << "at the service, one of the 25 still counted";
  EXPECT_EQ(timeOf(251, [&](int) { return retrieve(); }), 50ms + 10 * 1050ms);
}

TEST_F(PacingLearning, SlowsDownWhenOthersUseTheAccount) {
  EXPECT_EQ(timeOf(25, [&](int) { return retrieve(); }), 0s);
  wait(1s);
  refuse("endpoint-rate");
  EXPECT_FALSE(retrieve());
  wait(50ms);
  refuse("endpoint-rate");
  EXPECT_FALSE(retrieve());
  EXPECT_EQ(usage("endpoint_rate", retrieval).allowed, 1) << "half of one";
}

TEST_F(PacingLearning, LowersTheEndpointRateIfTheReasonMatchesNoOtherLimit) {
  refuse("resource-specific", retrieval);  // has no such limit
  EXPECT_FALSE(retrieve());
  EXPECT_EQ(usage("endpoint_rate", retrieval).allowed, 1);
}

TEST_F(PacingLearning, LearnsAnUndocumentedLimitFromRefusals) {
  setBoth("global_rate", std::nullopt);
  wait(firstDay);
  service.limits().set({.limit = "card_creation", .value = 3});
  const auto create = [&] { return client.issuingCards().create().has_value(); };
  EXPECT_EQ(atOnce(create), 3);
  EXPECT_EQ(usage("card_creation").allowed, 2) << "half of four";
  EXPECT_EQ(usage("card_creation").configured, std::nullopt);
  wait(1s);
  EXPECT_EQ(timeOf(8, [&](int) { return create(); }), 3s);
}

TEST_F(PacingLearning, IgnoresErrorsWithoutAKnownRateLimitReason) {
  service.faults().inject({.times = 3, .error = "lock_timeout"});
  service.faults().inject({.times = 3, .error = "read_allocation_exceeded"});
  service.faults().inject({.times = 3, .error = "rate_limit", .rateLimitedReason = ""});
  service.faults().inject({.times = 3, .error = "rate_limit", .rateLimitedReason = "moon-phase"});
  service.faults().inject({.times = 3, .error = "api_error"});
  EXPECT_EQ(timeOf(15, [&](int) { return !retrieve(); }), 0s);
  EXPECT_EQ(atOnce([&] { return retrieve(); }), 10);
  EXPECT_EQ(usage("endpoint_rate", retrieval).allowed, 25);
  EXPECT_EQ(usage("global_rate").allowed, 25);
}

TEST_F(PacingLearning, SlowsOnlyTheRefusedConnectedAccount) {
  const fake::Account one = service.addAccount();
  const fake::Account other = service.addAccount();
  service.connections().connect(account, one);
  service.connections().connect(account, other);
  const auto list = [&](const std::string& connected) {
    return listed(client, {.connectedAccount = connected});
  };
  EXPECT_EQ(timeOf(5, [&](int) { return list(one.id); }), 0s);
  refuse("endpoint-rate");
  EXPECT_FALSE(list(one.id));
  EXPECT_EQ(usage("endpoint_rate", "payment_records.list", one.id).allowed, 3);
  EXPECT_EQ(usage("endpoint_rate", "payment_records.list").allowed, 25);
  wait(1s);
  EXPECT_EQ(atOnce([&] { return list(one.id); }), 3);
  wait(1s);
  EXPECT_EQ(atOnce([&] { return list(other.id); }), 25);
  wait(1s);
  EXPECT_EQ(atOnce([&] { return list(""); }), 25);
}

TEST_F(PacingLearning, SlowsOnlyConnectedAccountsThatAreRefusedLongAfterAnother) {
  pace({.recovery = 1min});
  for (int n = 0; n < 2; ++n) {
    const fake::Account connected = service.addAccount();
    service.connections().connect(account, connected);
    refuse("endpoint-rate");
    EXPECT_FALSE(listed(client, {.connectedAccount = connected.id}));
    EXPECT_EQ(usage("endpoint_rate", "payment_records.list", connected.id).allowed, 1);
    EXPECT_EQ(usage("endpoint_rate", "payment_records.list"), PacerUsage{});
    wait(1min);
  }
}

/// As if another process used the rest of the platform's limit.
TEST_F(PacingLearning, SlowsThePlatformWhenRequestsForSeveralConnectedAccountsAreRefused) {
  service.limits().set({.limit = "global_rate", .value = 10});
  std::vector<std::string> connected(30);
  for (std::string& id : connected) {
    const fake::Account one = service.addAccount();
    service.connections().connect(account, one);
    id = one.id;
  }
  const auto refusalsOf = [&](const std::function<std::string(std::size_t)>& nameOf) {
    pace({.recovery = 1min});
    const std::size_t before = refusals().size();
    for (std::size_t n = 0; n < 1'000; ++n)
      (void)listed(client, {.connectedAccount = nameOf(n)});
    return refusals().size() - before;
  };
  const std::size_t own = refusalsOf([](std::size_t) { return std::string{}; });
  const std::size_t onBehalf = refusalsOf([&](std::size_t n) { return connected[n % connected.size()]; });
  EXPECT_GT(own, 0U);
  EXPECT_LE(onBehalf, own + 2) << "the first may be those of accounts";
}

TEST_F(PacingLearning, SlowsRequestsForConnectedAccountsWhenThePlatformIsRefused) {
  const fake::Account connected = service.addAccount();
  service.connections().connect(account, connected);
  refuse("global-rate");
  EXPECT_FALSE(listed(client));
  wait(1s);
  EXPECT_EQ(atOnce([&] { return listed(client, {.connectedAccount = connected.id}); }), 1);
}

TEST_F(PacingLearning, LowersTheLimitOnRequestsInFlightToAnEndpoint) {
  refuse("endpoint-concurrency", retrieval);
  EXPECT_FALSE(retrieve());
  EXPECT_EQ(usage("endpoint_concurrency", retrieval).allowed, 1) << "at least one proceeds";
  EXPECT_EQ(usage("endpoint_concurrency", retrieval).configured, std::nullopt);
  EXPECT_EQ(usage("endpoint_concurrency", "payment_records.list").allowed, std::nullopt);
}

TEST_F(PacingLearning, LowersTheLimitOnAllRequestsInFlight) {
  refuse("global-concurrency");
  EXPECT_FALSE(retrieve());
  EXPECT_EQ(usage("global_concurrency").allowed, 1);
  wait(60s);
  EXPECT_EQ(usage("global_concurrency"), PacerUsage{});
}

TEST_F(PacingLearning, AllowsARetryOnceALimitOnRequestsInFlightRecovers) {
  pace({.recovery = 1s});
  service.durations().set(retrieval, 7s);
  refuse("global-concurrency", "payment_records.list");
  const Instant start = service.clock()->now();
  service.clock()->runThreads(2, [&](std::size_t thread) {
    if (thread == 0) {
      EXPECT_TRUE(retrieve());
      return;
    }
    EXPECT_TRUE(listed(client, {.maxNetworkRetries = 1, .retryRateLimited = true}));
    EXPECT_LT(service.clock()->now() - start, 2s) << "the retrieval takes longer";
  });
}

TEST_F(PacingLearning, LowersADocumentedLimitAndRestoresIt) {
  refuse("endpoint-concurrency", "payouts.create");
  EXPECT_FALSE(client.payouts().create({.amount = 1, .currency = "eur"}));
  EXPECT_EQ(usage("payouts_in_progress").allowed, 1);
  EXPECT_EQ(usage("payouts_in_progress").configured, 30);
  wait(30s);
  EXPECT_EQ(usage("payouts_in_progress").allowed, 15);
  wait(30s);
  EXPECT_EQ(usage("payouts_in_progress"), PacerUsage{});
}

}  // namespace
}  // namespace tally::test
