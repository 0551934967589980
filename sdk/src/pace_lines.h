#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stop_token>
#include <vector>

#include <tally/clock.h>

#include "paced_count.h"

namespace tally::detail {

/// One request that asks for its places, or has them.
struct PaceTicket {
  struct Place {
    PacedCount* count = nullptr;
    bool learns = false;      // whether a refusal of this request lowers it
    std::int64_t before = 0;  // how many were used when it was taken
  };

  [[nodiscard]] bool hasAll() const noexcept { return taken == places.size(); }
  /// The one that it waits for.
  [[nodiscard]] PacedCount& next() const { return *places[taken].count; }

  std::vector<Place> places{};  // in the order of their counts
  std::size_t taken = 0;
  std::uint64_t number = 0;  // by which those who wait are in order
  bool waits = false;
  Instant sleepsUntil = Instant::min();  // while its thread sleeps; max: until it is woken
  std::stop_source wake{std::nostopstate};
};

/// Lets calls wait for places, and says whom to wake. Reads no clock and waits for nothing itself.
///
/// A call takes its places one after the other, and waits in the line of the first that is not free, holding
/// those that it has. In each line they go on in the order in which they came.
class PaceLines {
 public:
  using Woken = std::vector<std::stop_source>;

  /// Whether it has all its places at once; else it waits, or could.
  [[nodiscard]] bool ask(PaceTicket& ticket, Instant now, Woken& woken);

  /// Gives everybody who waits what has become free.
  void serve(Instant now, Woken& woken);

  /// Gives back what it has taken, and leaves its line. Others may then go on: serve().
  void withdraw(PaceTicket& ticket);

  /// When it can go on if nothing else happens; nothing where that depends on others.
  [[nodiscard]] static std::optional<Instant> wakeUp(const PaceTicket& ticket, Instant now);

  /// It can't go on before then.
  [[nodiscard]] static Instant earliest(const PaceTicket& ticket, Instant now);

  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }

 private:
  struct InOrder {
    bool operator()(const PacedCount* one, const PacedCount* other) const noexcept {
      return one->order() < other->order();
    }
  };

  void goOn(PaceTicket& ticket, Instant now);
  void take(PaceTicket& ticket, Instant now);
  void serveLine(PacedCount& count, Instant now, Woken& woken);
  void leaveLine(PaceTicket& ticket);

  std::set<PacedCount*, InOrder> lines_{};  // in which somebody waits
  std::size_t waiting_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace tally::detail
