#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tally/fake/service.h>
#include <tally/observer.h>
#include <tally/tally.h>

#include "network.h"
#include "random_source.h"
#include "sdk/support/any_report.h"

namespace tally::stress {

/// How the threads of a round run.
enum class Threads : std::uint8_t {
  inTurns,  // joined to the clock, in an order that follows from the seed: repeatable
  atOnce,   // concurrently
};

/// The clients of one account, and the payment records that they share.
struct Shop {
  std::string key{};
  std::vector<Client> clients{};
  std::vector<Id<PaymentRecord>> records{};
};

/// Counts the attempts of all clients.
class AttemptCounter final : public Observer {
 public:
  void on(const Event& event) noexcept override {
    if (event.kind == EventKind::attemptStarted) ++attempts;
  }
  std::atomic<std::size_t> attempts = 0;
};

/// A service with limits, and clients of several accounts with various settings, all determined by the seed.
struct World {
  World(std::uint64_t seed, Threads threads);

  [[nodiscard]] Clock& clock() const { return shops.front().clients.front().clock(); }

  RandomSource random;
  fake::Service service;
  std::shared_ptr<Network> network{};                        // for threads in turns
  std::shared_ptr<Pacer> pacer = std::make_shared<Pacer>();  // of some clients
  std::shared_ptr<AttemptCounter> counter = std::make_shared<AttemptCounter>();
  std::vector<Shop> shops{};

 private:
  void setLimits();
  void addShop(bool livemode);
  [[nodiscard]] Client clientOf(const std::string& key, const std::string& connectedAccount = {});
};

}  // namespace tally::stress
