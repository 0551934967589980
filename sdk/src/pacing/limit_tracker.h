#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <tally/clock.h>

#include <boost/intrusive/set.hpp>

#include "pacing/adaptive_limit.h"
#include "pacing/pace_ticket.h"
#include "schema/limit_plan.h"
#include "time/sliding_window.h"

namespace tally::detail {

/// The usage of a limit at one moment.
struct PaceUse {
  std::int64_t used = 0;
  std::int64_t lately = 0;  // plus requests that stopped counting just before
};

/// What calls needed of a limit for a time.
struct PaceDemand {
  std::int64_t used = 0;
  std::int64_t waiting = 0;
};

/// This process's part of a limit that several processes share: a given number of units for a time, then one.
struct ShareOfLimit {
  std::int64_t units = 1;  // for requests from now on
  std::int64_t noted = 1;  // what the others leave it, possibly more
  Instant until = Instant::min();

  [[nodiscard]] std::int64_t at(Instant now) const { return now < until && units > 1 ? units : 1; }
  [[nodiscard]] std::int64_t notedAt(Instant now) const { return now < until && noted > 1 ? noted : 1; }
};

/// Settings common to all counts of a pacer.
struct PaceTerms {
  std::chrono::nanoseconds recovery{};    // the time in which a lowered number recovers
  std::chrono::nanoseconds margin{};      // how much longer than the window requests count
  std::chrono::nanoseconds assumeUsed{};  // windows up to this length start full
  std::optional<Instant> start{};         // nullopt: the pacer has not started
};

/// The usage of one limit, as far as a client can tell, and the queue for it.
///
/// The client knows only roughly, and only after the response, when the service counted a request. Until then
/// the request holds a unit; afterwards it counts from its estimated latest arrival.
///
/// A refusal can have three causes. In the first window, it is attributed to requests of an earlier process:
/// the limit pauses. If the request was sent just after a unit became free, the service may still have
/// counted the previous holder of that unit: for a while, requests count slightly longer. Otherwise, the
/// number itself is too high, and is lowered.
class LimitTracker {
 public:
  /// Narrow limits come before widely shared ones. All calls take units in this order, which prevents
  /// deadlock.
  using Order = std::pair<int, std::uint64_t>;
  using InQueue = boost::intrusive::set_member_hook<>;

  /// `serial` orders counts of the same breadth. `terms` must outlive this.
  LimitTracker(const Slot& slot, std::optional<std::int64_t> number, const PaceTerms& terms,
               std::uint64_t serial);

  [[nodiscard]] const Slot& slot() const noexcept { return slot_; }
  [[nodiscard]] const Limit& limit() const noexcept { return *slot_.limit; }
  [[nodiscard]] bool isRate() const noexcept { return limit().metric != LimitMetric::inProgress; }
  [[nodiscard]] const Order& order() const noexcept { return order_; }
  [[nodiscard]] TicketQueue& line() noexcept { return line_; }
  [[nodiscard]] const TicketQueue& line() const noexcept { return line_; }
  [[nodiscard]] const AdaptiveLimit& number() const noexcept { return number_; }
  [[nodiscard]] const std::optional<ShareOfLimit>& share() const noexcept { return share_; }
  /// From now on, at most this part of the number is used. It must have one.
  void setShare(const ShareOfLimit& share) { share_ = share; }

  /// How many units there are; nullopt: any number.
  [[nodiscard]] std::optional<std::int64_t> allowed(Instant now) const {
    return shared(number_.at(now), now);
  }
  /// The same if no refusal had lowered the number.
  [[nodiscard]] std::optional<std::int64_t> ceiling(Instant now) const { return shared(number_.full(), now); }
  /// Whether the units in use may be used: the limit has not closed since, and has as many, even if it has
  /// been lowered. They still belong to this process, including those held since an earlier share.
  /// `roomless`: how many of them do not count, because the request for which another unit is held is never
  /// in flight at the same time.
  [[nodiscard]] bool isCovered(Instant now, std::int64_t roomless) const {
    const std::int64_t counting = used(now) - roomless;
    return now >= opens() && (!number_.isLowered(now) || counting <= number_.at(now)) &&
           (!share_ || counting <= share_->notedAt(now));
  }
  /// The units that requests in flight hold, or calls that wait for another limit.
  [[nodiscard]] std::int64_t held() const noexcept { return held_; }

  [[nodiscard]] PaceUse use(Instant now) const;
  [[nodiscard]] std::int64_t used(Instant now) const { return use(now).used; }
  [[nodiscard]] bool hasUnit(Instant now) const;

  /// Reserves memory for the next requests of all joined calls, so that finish() allocates nothing.
  void expect();
  /// `before`: the usage until now.
  void take(const PaceUse& before) noexcept;
  /// Undoes take().
  void giveBack() noexcept { --held_; }
  /// The request has ended; it counts from `arrived`.
  void finish(Instant arrived, Instant now);

  /// When to look for a free unit if nothing else happens: when a request leaves the window, or a lowered
  /// number rises. nullopt if only requests in flight can free one.
  [[nodiscard]] std::optional<Instant> frees(Instant now) const;

  /// A lower bound for when a unit becomes free for a ticket that already holds `own` units, however requests
  /// in flight end and the share changes.
  [[nodiscard]] Instant freesAtBest(Instant now, std::int64_t own) const;

  /// A lower bound for when a unit becomes free behind `ahead` others, each of which uses one for a window.
  [[nodiscard]] Instant earliest(std::int64_t ahead, Instant now) const;

  /// The service refused a request because of this limit; `before` is the usage when it was sent. Returns
  /// whether the request counts nevertheless: true if the number is lowered, so that the next request waits.
  bool onRefusal(const PaceUse& before, Instant sent, Instant now);

  /// A request that counts against this and against `connected`, the same limit of a connected account, was
  /// refused. Returns whether this one explains it: another connected account was refused shortly before.
  [[nodiscard]] bool onRefusalOfConnected(const LimitTracker& connected, Instant now) noexcept;

  /// A ticket has joined line().
  void noteWait() noexcept;
  /// The most that was used and waited at the same time since the last call.
  [[nodiscard]] PaceDemand measureDemand() noexcept;

  /// Registers a call that uses this count, which keeps it from being dropped.
  void join() noexcept { ++calls_; }
  void part() noexcept { --calls_; }

  /// Whether it is unused and in its initial state.
  [[nodiscard]] bool isIdle(Instant now) const;

  InQueue inQueue{};  // in PacingQueue, while tickets wait

 private:
  /// A connected account's count when a request was refused.
  struct Refused {
    Order connected;
    Instant time;
  };

  [[nodiscard]] std::optional<std::int64_t> shared(std::optional<std::int64_t> number, Instant now) const;
  [[nodiscard]] Instant opens() const;
  [[nodiscard]] bool hasRoom(Instant now) const;
  [[nodiscard]] bool isStretched(Instant now) const;
  [[nodiscard]] std::chrono::nanoseconds slack(Instant now) const;
  [[nodiscard]] std::chrono::nanoseconds firstWindow() const;
  [[nodiscard]] std::optional<Instant> windowFallsBelow(std::int64_t number, Instant now) const;
  [[nodiscard]] bool learnedSince(Instant time) const;
  void closeForPredecessor(Instant now);
  void lower(std::int64_t before, Instant now);

  Slot slot_;
  const PaceTerms& terms_;
  Order order_;
  std::chrono::nanoseconds recovery_;
  AdaptiveLimit number_;
  std::optional<ShareOfLimit> share_{};  // null: it is not shared
  SlidingWindow window_;                 // for rates: completed requests, while they may count
  std::int64_t held_ = 0;
  PaceDemand demand_{};
  Instant closedUntil_ = Instant::min();
  std::optional<Instant> stretched_{};  // start of the period in which requests count longer
  std::optional<Refused> lastRefused_{};
  TicketQueue line_{};
  std::size_t calls_ = 0;
};

}  // namespace tally::detail
