#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <tally/clock.h>

#include "learned_number.h"
#include "limit_plan.h"
#include "sliding_window.h"

namespace tally::detail {

struct PaceTicket;

/// How much of one limit is used, as far as it can be told from here, and who waits for it.
///
/// When a request was counted by the service is known only roughly, and only once it is answered. Until then
/// it holds its place, and after that it counts from when it may have arrived at the latest.
class PacedCount {
 public:
  /// Calls that wait, by the order in which they came.
  using Line = std::map<std::uint64_t, PaceTicket*>;
  /// Narrow limits come before those that more calls share. Whoever needs several places takes them in this
  /// order, and so nobody waits for somebody who waits for him.
  using Order = std::pair<int, std::uint64_t>;

  /// `serial` tells those of one breadth apart.
  PacedCount(const Slot& slot, std::optional<std::int64_t> number, std::chrono::nanoseconds recovery,
             std::uint64_t serial);

  [[nodiscard]] const Slot& slot() const noexcept { return slot_; }
  [[nodiscard]] const Limit& limit() const noexcept { return *slot_.limit; }
  [[nodiscard]] const Order& order() const noexcept { return order_; }
  [[nodiscard]] Line& line() noexcept { return line_; }
  [[nodiscard]] const Line& line() const noexcept { return line_; }
  [[nodiscard]] const LearnedNumber& number() const noexcept { return number_; }

  [[nodiscard]] std::int64_t used(Instant now) const;
  [[nodiscard]] bool hasPlace(Instant now) const;

  void take() noexcept { ++held_; }
  /// As if it had never been taken.
  void giveBack() noexcept { --held_; }
  /// The request is over, and was counted at `arrived`.
  void settle(Instant arrived, Instant now);

  /// When there will be a place if nothing else happens; nothing where that depends on requests under way.
  [[nodiscard]] std::optional<Instant> frees(Instant now) const;

  /// There will be no place before then for one behind `ahead` others.
  [[nodiscard]] Instant earliest(std::int64_t ahead, Instant now) const;

  /// The service refused a request for this limit's sake; it was sent when `before` places were used.
  void refused(std::int64_t before, Instant sent, Instant now);

  /// For each call that may come here, so that this is not dropped meanwhile.
  void join() noexcept { ++calls_; }
  void part() noexcept { --calls_; }

  /// Whether it is as if it were new, and nobody needs it.
  [[nodiscard]] bool isIdle(Instant now) const;

 private:
  [[nodiscard]] bool isRate() const noexcept { return limit().counts != LimitCounts::inProgress; }

  Slot slot_;
  Order order_;
  LearnedNumber number_;
  SlidingWindow window_;  // of a rate: the requests that are over
  std::int64_t held_ = 0;
  Line line_{};
  std::size_t calls_ = 0;
};

}  // namespace tally::detail
