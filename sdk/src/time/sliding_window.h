#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <tally/clock.h>

namespace tally::detail {

/// Counts what happened within the last so many seconds: what happened at `t` counts from `t` on, and no
/// longer at `t` plus the length. The times of add() never go back.
class SlidingWindow {
 public:
  static constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

  /// When neighbours that were joined leave.
  enum class Joined : std::uint8_t {
    leaveWithLast,   ///< Nothing leaves too early: for what must not be counted too low.
    leaveWithFirst,  ///< Nothing leaves too late: for what must not be counted too high.
  };

  /// With more different instants than `mostInstants`, neighbours are joined and leave together, as `joined`
  /// says; so memory is bounded.
  explicit SlidingWindow(std::chrono::nanoseconds length, std::size_t mostInstants = unbounded,
                         Joined joined = Joined::leaveWithLast)
      : length_(length), mostInstants_(mostInstants), joined_(joined) {}

  [[nodiscard]] std::int64_t count(Instant now);

  /// What counts at a time that may lie ahead, if nothing is added until then.
  [[nodiscard]] std::int64_t countAt(Instant time) const;

  void add(Instant now, std::int64_t times = 1);

  /// Room for so many more instants, for which add() then takes no memory.
  void reserve(std::size_t instants);

  /// The same as add(), but takes no memory where anything counts or there is room: what was added last then
  /// leaves together with this, not too early but late.
  void addToLast(Instant now);

  /// Adds one that happened at `time`, which may lie before the times of others.
  void addLate(Instant time, Instant now);

  /// Takes back one that was added at `time`, if it still counts.
  void giveBack(Instant time);

  /// The first instant, not before `now`, at which fewer than `number` count if nothing is added; nothing if
  /// that is never.
  [[nodiscard]] std::optional<Instant> fallsBelow(std::int64_t number, Instant now) const;

  /// How many instants are remembered.
  [[nodiscard]] std::size_t instants() const noexcept { return runs_.size() - first_; }

 private:
  struct Run {
    Instant time{};
    std::int64_t count = 0;
  };

  [[nodiscard]] bool hasLeft(const Run& run, Instant time) const;
  void forget(Instant now);
  void join();

  std::chrono::nanoseconds length_;
  std::size_t mostInstants_;
  Joined joined_;
  std::vector<Run> runs_{};  // oldest first
  std::size_t first_ = 0;    // those before it have left
  std::int64_t total_ = 0;
};

}  // namespace tally::detail
