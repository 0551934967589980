#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <tally/clock.h>

#include <boost/intrusive/set.hpp>

#include "pacing/pace_ticket.h"
#include "pacing/paced_count.h"

namespace tally::detail {

/// Lets calls wait for places, and says whom to wake. Reads no clock, waits for nothing itself, and allocates
/// nothing: it can't fail halfway.
///
/// A call takes its places one after the other, and waits in the line of the first that is not free, holding
/// those that it has. In each line they go on in the order in which they came.
class PaceLines {
 public:
  /// Whether it has all its places at once; else it waits, or could.
  [[nodiscard]] bool ask(PaceTicket& ticket, Instant now, PaceWoken& woken) noexcept;

  /// Gives everybody who waits what has become free.
  void serve(Instant now, PaceWoken& woken) noexcept;

  /// Gives back what it has taken, and leaves its line. Others may then go on: serve().
  void withdraw(PaceTicket& ticket) noexcept;

  /// When it can go on if nothing else happens; nothing where that depends on others.
  [[nodiscard]] static std::optional<Instant> wakeUp(const PaceTicket& ticket, Instant now);

  /// It can't go on before then.
  [[nodiscard]] static Instant earliest(const PaceTicket& ticket, Instant now);

  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }

 private:
  struct Order {
    using type = PacedCount::Order;
    const type& operator()(const PacedCount& count) const noexcept { return count.order(); }
  };
  using Lines = boost::intrusive::set<
      PacedCount, boost::intrusive::key_of_value<Order>,
      boost::intrusive::member_hook<PacedCount, PacedCount::InLines, &PacedCount::inLines>>;

  void goOn(PaceTicket& ticket, Instant now) noexcept;
  static void take(PaceTicket& ticket, Instant now) noexcept;
  void serveLine(PacedCount& count, Instant now, PaceWoken& woken) noexcept;
  void enterLine(PaceTicket& ticket, PacedCount& count) noexcept;
  void leaveLine(PaceTicket& ticket, PacedCount& count) noexcept;

  Lines lines_{};  // in which somebody waits
  std::size_t waiting_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace tally::detail
