#pragma once

#include <cstddef>
#include <vector>

#include <tally/tally.h>

#include "simulation/network/network.h"
#include "simulation/parties/shop.h"

namespace tally::simulation {

/// A thread that makes blocking calls, and resolves its unclear reports.
class BlockingCaller {
 public:
  BlockingCaller(Network& network, Sender& sender, Shop& shop, std::size_t calls)
      : network_(network), sender_(sender), shop_(shop), planned_(calls) {}

  /// For a joined thread.
  void run(const ClientOptions& options);

  [[nodiscard]] bool isBusy() const { return isBusy_; }
  [[nodiscard]] std::size_t calls() const { return calls_; }

 private:
  void report(const Client& client);
  void resolve(const Client& client, const Id<PaymentRecord>& id, const test::AnyReport& report,
               std::uint64_t number);
  void retrieve(const Client& client);
  void list(const Client& client);
  [[nodiscard]] RequestOptions optionsFor(std::uint64_t number);
  [[nodiscard]] stress::RandomSource& random() { return network_.history().random(); }

  Network& network_;
  Sender& sender_;
  Shop& shop_;
  std::size_t planned_;
  bool isBusy_ = true;
  std::size_t calls_ = 0;
};

}  // namespace tally::simulation
