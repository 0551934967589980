#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <tally/clock.h>

#include <boost/intrusive/set.hpp>

#include "pacing/learned_number.h"
#include "pacing/pace_ticket.h"
#include "schema/limit_plan.h"
#include "time/sliding_window.h"

namespace tally::detail {

/// What holds for all counts of a pacer.
struct PaceTerms {
  std::chrono::nanoseconds recovery{};     // in how long a lowered number is full again
  std::chrono::nanoseconds margin{};       // requests count for so much longer than the window
  std::chrono::nanoseconds fullAtStart{};  // windows that are no longer than this start full
  std::optional<Instant> start{};          // when the pacer began; nothing: it has not
};

/// How much of one limit is used, as far as it can be told from here, and who waits for it.
///
/// When a request was counted by the service is known only roughly, and only once it is answered. Until then
/// it holds its place, and after that it counts from when it may have arrived at the latest.
///
/// A refusal may have one of three causes. In the first window it is what an earlier process has sent: the
/// limit is closed until that no longer counts. If the request was sent just as a place became free, the
/// service may still have counted what had that place: requests count for somewhat longer for a while. In all
/// other cases, the number itself is too high, and is lowered.
class PacedCount {
 public:
  /// Narrow limits come before those that more calls share. Whoever needs several places takes them in this
  /// order, and so nobody waits for somebody who waits for him.
  using Order = std::pair<int, std::uint64_t>;
  using InLines = boost::intrusive::set_member_hook<>;

  /// `serial` tells those of one breadth apart. `terms` outlive this.
  PacedCount(const Slot& slot, std::optional<std::int64_t> number, const PaceTerms& terms,
             std::uint64_t serial);

  [[nodiscard]] const Slot& slot() const noexcept { return slot_; }
  [[nodiscard]] const Limit& limit() const noexcept { return *slot_.limit; }
  [[nodiscard]] const Order& order() const noexcept { return order_; }
  [[nodiscard]] PaceLine& line() noexcept { return line_; }
  [[nodiscard]] const PaceLine& line() const noexcept { return line_; }
  [[nodiscard]] const LearnedNumber& number() const noexcept { return number_; }

  [[nodiscard]] PaceUse use(Instant now) const;
  [[nodiscard]] std::int64_t used(Instant now) const { return use(now).used; }
  [[nodiscard]] bool hasPlace(Instant now) const;

  /// Makes room for what the calls that have joined send next, so that settle() allocates nothing.
  void expect();
  void take() noexcept { ++held_; }
  /// As if it had never been taken.
  void giveBack() noexcept { --held_; }
  /// The request is over, and was counted at `arrived`.
  void settle(Instant arrived, Instant now);

  /// When there will be a place, for one that holds `own` already, if nothing else happens; nothing where
  /// that depends on requests under way.
  [[nodiscard]] std::optional<Instant> frees(Instant now, std::int64_t own = 0) const;

  /// There will be no place before then for one behind `ahead` others.
  [[nodiscard]] Instant earliest(std::int64_t ahead, Instant now) const;

  /// The service refused a request for this limit's sake; it was sent when so much was used. Returns whether
  /// the request counts all the same: where the number is lowered, so that the next one waits.
  bool refused(const PaceUse& before, Instant sent, Instant now);

  /// For each call that may come here, so that this is not dropped meanwhile.
  void join() noexcept { ++calls_; }
  void part() noexcept { --calls_; }

  /// Whether it is as if it were new, and nobody needs it.
  [[nodiscard]] bool isIdle(Instant now) const;

  InLines inLines{};  // among those in which somebody waits

 private:
  [[nodiscard]] bool isRate() const noexcept { return limit().counts != LimitCounts::inProgress; }
  [[nodiscard]] Instant opens() const;
  [[nodiscard]] bool hasRoom(Instant now) const;
  [[nodiscard]] bool isStretched(Instant now) const;
  [[nodiscard]] std::chrono::nanoseconds slack(Instant now) const;
  [[nodiscard]] std::chrono::nanoseconds firstWindow() const;
  [[nodiscard]] bool learnedSince(Instant time) const;
  void closeForPredecessor(Instant now);
  void lower(std::int64_t before, Instant now);

  Slot slot_;
  const PaceTerms& terms_;
  Order order_;
  std::chrono::nanoseconds recovery_;
  LearnedNumber number_;
  SlidingWindow window_;  // of a rate: the requests that are over, for as long as they may count
  std::int64_t held_ = 0;
  Instant closedUntil_ = Instant::min();
  std::optional<Instant> stretched_{};  // since when requests count for longer
  PaceLine line_{};
  std::size_t calls_ = 0;
};

}  // namespace tally::detail
