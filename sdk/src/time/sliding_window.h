#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <tally/clock.h>

namespace tally::detail {

/// Counts events in a sliding window: an event at `t` counts from `t` until just before `t` plus the length.
/// The times passed to add() must not decrease.
class SlidingWindow {
 public:
  static constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

  /// When merged neighbors leave the window.
  enum class Joined : std::uint8_t {
    leaveWithLast,   ///< Nothing leaves too early: for counts that must not be too low.
    leaveWithFirst,  ///< Nothing leaves too late: for counts that must not be too high.
  };

  /// Beyond `mostInstants` distinct instants, neighbors are merged and leave together, as `joined` says;
  /// this bounds memory.
  explicit SlidingWindow(std::chrono::nanoseconds length, std::size_t mostInstants = unbounded,
                         Joined joined = Joined::leaveWithLast)
      : length_(length), mostInstants_(mostInstants), joined_(joined) {}

  [[nodiscard]] std::int64_t count(Instant now);

  /// The count at the time of the last count() or add(), without looking for what has left since.
  [[nodiscard]] std::int64_t lastCount() const noexcept { return total_; }

  /// The count at a time that may be in the future, if nothing is added until then.
  [[nodiscard]] std::int64_t countAt(Instant time) const;

  void add(Instant now, std::int64_t times = 1);

  /// Reserves space for this many more instants, so that add() allocates nothing.
  void reserve(std::size_t instants);

  /// Like add(), but allocates only if the window is empty and has no reserved space. Merges with the latest
  /// instant, whose events then leave late rather than early.
  void addToLast(Instant now);

  /// Adds one event at `time`, which may be earlier than those already added.
  void addLate(Instant time, Instant now);

  /// Removes one event added at `time`, if it still counts.
  void giveBack(Instant time);

  /// The first instant from `now` on at which fewer than `number` count if nothing is added; nullopt if
  /// `number` is not positive.
  [[nodiscard]] std::optional<Instant> fallsBelow(std::int64_t number, Instant now) const;

  /// The number of events at one instant.
  struct Run {
    Instant time{};
    std::int64_t count = 0;
  };

  /// The events that still count at `now`, oldest first. add() makes the same window of them.
  [[nodiscard]] std::vector<Run> runs(Instant now) const;

  /// The number of instants stored.
  [[nodiscard]] std::size_t instants() const noexcept { return runs_.size() - first_; }

 private:
  [[nodiscard]] bool hasLeft(const Run& run, Instant time) const;
  void forget(Instant now);
  void join();

  std::chrono::nanoseconds length_;
  std::size_t mostInstants_;
  Joined joined_;
  std::vector<Run> runs_{};  // oldest first
  std::size_t first_ = 0;    // earlier runs have left
  std::int64_t total_ = 0;
};

}  // namespace tally::detail
