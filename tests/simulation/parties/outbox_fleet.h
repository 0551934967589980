#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tally/outbox.h>
#include <tally/pacer.h>

#include "memory/memory_store.h"
#include "outbox/simulation/broken_store.h"
#include "outbox/simulation/machine.h"
#include "simulation/network/network.h"
#include "simulation/parties/shop.h"

namespace tally::simulation {

/// Workers of an outbox in memory. They are frozen, they die, and their links to the store and to the service
/// are cut. How well they obey the limits is not checked here but in tests/outbox/simulation, since the
/// requests of a frozen thread are sent long after its pacer admitted them.
class OutboxFleet {
 public:
  /// Has a domain for each shop.
  OutboxFleet(Network& network, std::vector<Shop>& shops, const PacerOptions& pacing, std::size_t workers,
              std::size_t spares);

  /// The number of threads.
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  /// The life of a worker. For a joined thread.
  void run(std::size_t number);

  void enqueueSome();
  void killOne();
  void freezeOne();
  /// Makes the database restart, deliver what is late, or refuse writes for a while.
  void disturbDatabase();
  /// From now on, the database works.
  void calmDown();
  /// Returns whether each report has ended. Releases parked reports, as a person would.
  [[nodiscard]] bool isDecided();
  /// Passes the end of each report to the checker.
  void tell();
  [[nodiscard]] std::size_t reports() const { return reports_; }
  /// Ends all workers.
  void end();

 private:
  struct Domain {
    std::string name{};
    Shop* shop = nullptr;
    std::vector<Sender*> senders{};  // of the members
  };
  struct Member {
    test::Machine machine;
    Link* store = nullptr;
    StopSource start{};
    StopSource stop{};
    OutboxOptions options{};
  };

  class MachineLine;

  void addMember(std::size_t number);
  [[nodiscard]] OutboxOptions optionsOf(Member& member, std::size_t number);
  void receive(const OutboxEvent& event);
  [[nodiscard]] detail::MemoryFault faultOf(const detail::MemoryOperation& operation);
  [[nodiscard]] test::BrokenRules rules() const;
  [[nodiscard]] stress::RandomSource& random() { return network_.history().random(); }

  Network& network_;
  const PacerOptions pacing_;
  std::deque<Domain> domains_{};
  std::deque<Member> members_{};
  std::size_t started_;
  std::shared_ptr<detail::MemoryDatabase> database_;
  detail::MemoryStore store_;
  test::BrokenRules rules_;
  test::BrokenStore workersStore_;
  std::map<std::uint64_t, std::uint64_t> numbers_{};  // of changes, by the keys of reports
  std::size_t reports_ = 0;
  bool isChaotic_ = true;
  Instant refusesWritesUntil_ = Instant::min();
};

}  // namespace tally::simulation
