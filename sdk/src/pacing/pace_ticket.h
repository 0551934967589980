#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <tally/clock.h>
#include <tally/stop_token.h>

#include <boost/intrusive/set.hpp>

namespace tally::detail {

class Reservation;

/// Ends one wait. Shared with the thread that ends it, so it may outlive the ticket.
struct PaceWake {
  StopSource source{};
  std::shared_ptr<PaceWake> next{};  // the next to be woken with it
  bool listed = false;               // already in a PaceWoken
};

/// Waits to be ended. The destructor ends them: declare it before taking a lock, and it wakes after the
/// unlock. Allocates nothing, so running out of memory can't lose a wake-up.
class PaceWoken {
 public:
  PaceWoken() = default;
  PaceWoken(const PaceWoken&) = delete;
  PaceWoken& operator=(const PaceWoken&) = delete;
  ~PaceWoken() { wakeAll(); }

  void add(const std::shared_ptr<PaceWake>& wake) noexcept {
    if (wake == nullptr || std::exchange(wake->listed, true)) return;
    std::shared_ptr<PaceWake>& end = last_ == nullptr ? first_ : last_->next;
    end = wake;
    last_ = wake.get();
  }

  void wakeAll() noexcept {
    last_ = nullptr;
    while (const auto wake = std::move(first_)) {
      wake->source.request_stop();
      first_ = std::move(wake->next);
    }
  }

 private:
  std::shared_ptr<PaceWake> first_{};
  PaceWake* last_ = nullptr;
};

/// One call in the queues. It waits for the units of its request, or holds them.
struct PaceTicket {
  using InLine = boost::intrusive::set_member_hook<>;

  Reservation& units;
  std::uint64_t number = 0;  // position in the order of arrival
  bool waits = false;
  Instant sleepsUntil = Instant::min();  // while its thread sleeps; max: until woken
  std::shared_ptr<PaceWake> wake{};      // null: it has not slept yet
  InLine inLine{};
};

/// A queue of calls by order of arrival. Joining allocates nothing.
class TicketQueue {
 public:
  [[nodiscard]] bool empty() const noexcept { return tickets_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return tickets_.size(); }
  [[nodiscard]] PaceTicket& first() noexcept { return *tickets_.begin(); }
  [[nodiscard]] const PaceTicket& last() const noexcept { return *tickets_.rbegin(); }
  void join(PaceTicket& ticket) noexcept { tickets_.insert(ticket); }
  void leave(PaceTicket& ticket) noexcept { tickets_.erase(tickets_.iterator_to(ticket)); }

 private:
  struct Number {
    using type = std::uint64_t;
    const type& operator()(const PaceTicket& ticket) const noexcept { return ticket.number; }
  };
  using Tickets = boost::intrusive::set<
      PaceTicket, boost::intrusive::key_of_value<Number>,
      boost::intrusive::member_hook<PaceTicket, PaceTicket::InLine, &PaceTicket::inLine>>;

  Tickets tickets_{};
};

}  // namespace tally::detail
