#include "world.h"

#include <chrono>

namespace tally::stress {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t recordsOfAShop = 24;

/// While waiting for a lock, the service advances the clock, and a caller that gives up leaves no trace of
/// its request. Concurrent threads must avoid both.
fake::ServiceOptions optionsFor(RandomSource& random, Threads threads) {
  constexpr std::chrono::nanoseconds lockWaits[] = {0ms, 200ms, 3s};
  return {.seed = random.number(),
          .duration = random.upTo(100ms),
          .lockWait = threads == Threads::atOnce ? 0ms : random.oneOf(lockWaits),
          .requestLog = 1'000'000};
}

}  // namespace

World::World(std::uint64_t seed, Threads threads) : random(seed), service(optionsFor(random, threads)) {
  if (threads == Threads::inTurns) {
    service.clock()->shuffle(random.number());
    network = std::make_shared<Network>(service, random.number());
  }
  setLimits();
  addShop(true);
  addShop(false);
}

/// Documented or increased limits, and concurrency limits, which have no documented number.
void World::setLimits() {
  if (random.oneIn(2)) {
    service.limits().set({.limit = "global_rate", .value = 1'000});
    service.limits().set({.limit = "endpoint_rate", .value = 1'000});
  }
  if (random.oneIn(2)) service.limits().set({.limit = "global_concurrency", .value = 5});
  if (random.oneIn(2)) service.limits().set({.limit = "endpoint_concurrency", .value = 3});
}

/// One platform, whose clients act for itself and for a connected account, and the client of that account.
void World::addShop(bool livemode) {
  const fake::Account platform = service.addAccount();
  const fake::Account connected = service.addAccount();
  service.connections().connect(platform, connected);
  const auto keyOf = [&](const fake::Account& account) {
    return livemode ? account.liveKey : account.sandboxKey;
  };
  Shop own{.key = keyOf(platform)};
  Shop other{.key = keyOf(connected)};
  own.clients = {clientOf(own.key), clientOf(own.key)};
  other.clients = {clientOf(own.key, connected.id), clientOf(other.key)};
  for (Shop* shop : {&own, &other})
    for (std::size_t i = 0; i < recordsOfAShop; ++i)
      shop->records.push_back(service.insert<PaymentRecord>(shop->key).id);
  shops.push_back(std::move(own));
  shops.push_back(std::move(other));
}

Client World::clientOf(const std::string& key, const std::string& connectedAccount) {
  ClientOptions options = service.clientOptions(key);
  options.connectedAccount = connectedAccount;
  options.observer = counter;
  options.maxNetworkRetries = static_cast<int>(random.below(4));
  options.retryRateLimited = random.oneIn(2);
  options.timeout = random.oneIn(2) ? 30s : 100ms;
  options.mutationQueue = {.enabled = !random.oneIn(3), .maxWaiting = random.oneIn(3) ? 2U : 1'000U};
  options.retryBudget.maxTokens = random.oneIn(3) ? 2 : 1'000;
  if (random.oneIn(2)) options.pacer = pacer;
  if (network) options.transport = network;
  return Client{options};
}

}  // namespace tally::stress
