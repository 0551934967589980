#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include <tally/clock.h>

#include <boost/intrusive/set.hpp>

namespace tally::detail {

class PacedCount;

/// How far a limit is used at one moment.
struct PaceUse {
  std::int64_t used = 0;
  std::int64_t lately = 0;  // with those that have ceased to count only just before
};

/// The end of one wait. Lives until whoever ends the wait has done so, longer than the ticket if need be.
struct PaceWake {
  std::stop_source source{};
  std::shared_ptr<PaceWake> next{};  // of those that are woken together
  bool listed = false;               // somebody wakes it already
};

/// Waits that are to end. They end when this goes: made before a lock is taken, it wakes without the lock.
/// Allocates nothing, so nobody is forgotten because memory has run out.
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

/// One request that asks for its places, or has them.
struct PaceTicket {
  struct Place {
    PacedCount* count = nullptr;
    bool learns = false;  // whether a refusal of this request lowers it
    PaceUse before{};     // when it was taken
    bool kept = false;    // whether the request counts although it was refused
    bool ofNext = false;  // taken for the call that follows
  };
  using InLine = boost::intrusive::set_member_hook<>;

  [[nodiscard]] bool hasAll() const noexcept { return taken == places.size(); }
  /// The one that it waits for.
  [[nodiscard]] PacedCount& next() const { return *places[taken].count; }
  /// How many it has there already: one, where it needs two of the same.
  [[nodiscard]] std::int64_t ownOfNext() const {
    return taken != 0 && places[taken - 1].count == places[taken].count ? 1 : 0;
  }

  std::vector<Place> places{};  // in the order of their counts
  std::size_t taken = 0;
  std::uint64_t number = 0;  // by which those who wait are in order
  bool waits = false;
  Instant sleepsUntil = Instant::min();  // while its thread sleeps; max: until it is woken
  std::shared_ptr<PaceWake> wake{};      // null: it has never slept
  InLine inLine{};
};

/// Calls that wait, by the order in which they came. To join it takes no allocation.
class PaceLine {
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
