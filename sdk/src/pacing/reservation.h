#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tally/clock.h>
#include <tally/rate_limited_reason.h>

#include "pacing/limit_tracker.h"
#include "pacing/paced_request.h"

namespace tally::detail {

/// The units of its limits that a request needs, and which of them it holds. It takes them one by one, in
/// LimitTracker::Order, and together with those of the request that follows, if there is one. Releases
/// nothing by itself: call leave() under the pacer's lock.
class Reservation {
 public:
  struct Unit {
    LimitTracker* count = nullptr;
    LimitTracker* platform = nullptr;  // of a connected account's count: that of the platform
    bool learns = true;                // whether a refusal names this count
    PaceUse before{};                  // usage just before it was taken
    bool kept = false;                 // the request counts although it was refused
  };

  void reserve(std::size_t units) { units_.reserve(units); }
  /// Needs a unit of `count` too, and keeps the count from being dropped. Call sort() after the last one.
  void add(LimitTracker& count) { add(Unit{.count = &count}); }
  /// The same for the counts of a connected account and of the platform that acts for it.
  void add(LimitTracker& connected, LimitTracker& platform);
  void sort() noexcept;
  [[nodiscard]] std::span<const Unit> units() const noexcept { return units_; }

  /// From now on, the units of `following` are taken too. Its request is not in flight at the same time as
  /// this one.
  void include(Reservation& following) noexcept { following_ = &following; }
  /// Leaves `following` the units that it has.
  void exclude() noexcept { following_ = nullptr; }
  [[nodiscard]] bool includesAnother() const noexcept { return following_ != nullptr; }
  /// False if both requests count against a rate limit that admits only one per window.
  [[nodiscard]] bool canInclude(const Reservation& following, Instant now) const noexcept;
  /// Gives back the units of the following request if it can no longer be included. Returns whether it did.
  bool excludeIfImpossible(Instant now) noexcept;

  /// Reserves memory in the counts, so that end() allocates nothing.
  void expect();
  [[nodiscard]] bool hasAll() const noexcept { return isComplete() && !isFollowingNext(); }
  /// The count of the unit that it takes next, if it does not have all.
  [[nodiscard]] LimitTracker& next() const;
  /// How many units of next() it already holds: 1 if it needs two of the same count.
  [[nodiscard]] std::int64_t ownOfNext() const;
  void take(Instant now) noexcept;
  /// False if a share has ended, or a limit has closed, since it took its units. `excluded`: another one that
  /// it has included earlier, or null.
  [[nodiscard]] bool isCovered(Instant now, const Reservation* excluded) const;
  /// A count whose unit it does not hold, and of which none becomes free before `until`, whatever others do;
  /// null: it knows of none.
  [[nodiscard]] const LimitTracker* fullUntil(Instant until, Instant now) const;
  /// Whether one of the units that it does not hold becomes free only when others give theirs back.
  [[nodiscard]] bool dependsOnRequests(Instant now) const;
  [[nodiscard]] bool holdsAny() const noexcept { return taken_ > 0; }
  /// Gives back all units.
  void release() noexcept;
  /// The request, sent at `sent`, has ended: the limits that count it do so from `arrived`. Learns from a
  /// refusal.
  void end(const PacedOutcome& outcome, Instant sent, Instant arrived, Instant now) noexcept;
  /// Gives back all units, and needs none.
  void leave() noexcept;

 private:
  [[nodiscard]] bool needs(const LimitTracker& count) const noexcept;
  [[nodiscard]] bool holds(const LimitTracker& count) const noexcept;
  [[nodiscard]] bool isComplete() const noexcept { return taken_ == units_.size(); }
  [[nodiscard]] LimitTracker& ownNext() const { return *units_[taken_].count; }
  [[nodiscard]] bool isFollowingNext() const noexcept;
  void add(Unit unit);
  void takeOwn(const PaceUse& before) noexcept;
  [[nodiscard]] Unit& causeOf(Unit& refused, Instant now) noexcept;
  void learn(RateLimitedReason reason, Instant sent, Instant now) noexcept;

  std::vector<Unit> units_{};
  std::size_t taken_ = 0;
  Reservation* following_ = nullptr;
};

}  // namespace tally::detail
