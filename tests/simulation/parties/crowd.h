#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tally/async.h>
#include <tally/tally.h>

#include "simulation/checker/checker.h"
#include "simulation/network/network.h"
#include "simulation/parties/shop.h"
#include "stress/stop_tokens.h"

namespace tally::simulation {

struct CrowdPlan {
  std::size_t callers = 0;
  std::size_t callsOfEach = 0;
  std::chrono::milliseconds pause{0};  // at most, between the calls of a caller
  std::chrono::seconds rush{5};        // half of the calls are made at multiples of it
  bool resolves = false;               // unclear reports
};

/// Callers that are coroutines of one AsyncClient.
class Crowd {
 public:
  Crowd(Network& network, Sender& sender, std::vector<Shop>& shops, const CrowdPlan& plan)
      : network_(network), sender_(sender), shops_(shops), plan_(plan), busy_(plan.callers) {}

  /// Makes all calls of the callers. For a joined thread.
  void run(const ClientOptions& options, const AsyncOptions& asyncOptions);

  /// Cancels one of the latest calls.
  void cancelOne() { stops_.stopOne(random()); }
  [[nodiscard]] std::size_t busy() const { return busy_; }
  [[nodiscard]] std::size_t calls() const { return calls_; }

 private:
  Task<> caller();
  [[nodiscard]] Instant nextCall();
  [[nodiscard]] Shop& anyShop();
  Task<> call();
  Task<> report(Shop& shop);
  Task<> resolve(Shop& shop, Id<PaymentRecord> id, test::AnyReport report, std::uint64_t number);
  Task<> retrieve(Shop& shop);
  Task<> walk(Shop& shop, bool searches);
  Task<> createSomething(Shop& shop);
  Task<> updateIntent(Shop& shop);
  Task<> updateSubscription(Shop& shop);

  [[nodiscard]] RequestOptions optionsFor(const Shop& shop, std::uint64_t number);
  [[nodiscard]] stress::RandomSource& random() { return network_.history().random(); }
  template <class T>
  void told(std::uint64_t number, const Result<T>& result, const std::vector<Attempt>& attempts);
  template <class T>
  void toldOfRead(const Result<T>& result);

  Network& network_;
  Sender& sender_;
  std::vector<Shop>& shops_;
  const CrowdPlan plan_;
  stress::StopTokens stops_{};
  std::optional<AsyncClient> async_{};
  std::size_t busy_;  // callers
  std::size_t calls_ = 0;
};

}  // namespace tally::simulation
