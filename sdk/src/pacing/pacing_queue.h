#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <tally/clock.h>

#include <boost/intrusive/set.hpp>

#include "pacing/limit_tracker.h"
#include "pacing/pace_ticket.h"

namespace tally::detail {

/// Queues calls for units of limits and decides whom to wake. Reads no clock, does not wait and does not
/// allocate, so it can't fail halfway.
///
/// A call takes its units one by one. It waits in the queue of the first limit that has none, holding those
/// it already has. Each queue is served in order of arrival.
class PacingQueue {
 public:
  /// Returns true if the ticket gets all its units immediately; otherwise it is queued.
  [[nodiscard]] bool ask(PaceTicket& ticket, Instant now, PaceWoken& woken) noexcept;

  /// Hands out all units that have become free.
  void serve(Instant now, PaceWoken& woken) noexcept;

  /// Releases the ticket's units, and waits for them again where it was in the order.
  void askAnew(PaceTicket& ticket, Instant now, PaceWoken& woken) noexcept;

  /// Releases the ticket's units and leaves its queue. Others may then proceed: call serve().
  void withdraw(PaceTicket& ticket) noexcept;

  /// When to serve the ticket if nothing else happens; nullopt if it depends on others.
  [[nodiscard]] static std::optional<Instant> wakeUp(const PaceTicket& ticket, Instant now);

  /// A lower bound for when the ticket can proceed, unless tickets ahead of it withdraw.
  [[nodiscard]] static Instant earliest(const PaceTicket& ticket, Instant now);

  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }

 private:
  struct Order {
    using type = LimitTracker::Order;
    const type& operator()(const LimitTracker& count) const noexcept { return count.order(); }
  };
  using Lines = boost::intrusive::set<
      LimitTracker, boost::intrusive::key_of_value<Order>,
      boost::intrusive::member_hook<LimitTracker, LimitTracker::InQueue, &LimitTracker::inQueue>>;

  void goOn(PaceTicket& ticket, Instant now) noexcept;
  void serveLine(LimitTracker& count, Instant now, PaceWoken& woken) noexcept;
  void enterLine(PaceTicket& ticket, LimitTracker& count) noexcept;
  void leaveLine(PaceTicket& ticket, LimitTracker& count) noexcept;

  Lines lines_{};  // those with waiting tickets
  std::size_t waiting_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace tally::detail
