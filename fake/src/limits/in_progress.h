#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tally/clock.h>

namespace tally::fake::detail {

/// Counts the requests in progress at one moment: those whose end is known, and those that go on until they
/// are taken away.
class InProgress {
 public:
  [[nodiscard]] std::int64_t count(Instant now);

  /// One that is in progress from `now` until just before `end`.
  void addUntil(Instant end, Instant now);

  /// Some whose end is open.
  void hold(std::int64_t places = 1) { held_ += places; }
  void release(std::int64_t places = 1) { held_ -= places; }

  /// Takes away all whose end is open.
  void dropHeld() { held_ = 0; }

  /// The first instant, not before `now`, at which fewer than `number` are in progress if nothing else
  /// happens; nothing if that is never, or only once some are taken away.
  [[nodiscard]] std::optional<Instant> fallsBelow(std::int64_t number, Instant now);

 private:
  void forget(Instant now);

  std::vector<Instant> ends_{};  // a heap, the soonest on top
  std::int64_t held_ = 0;
};

}  // namespace tally::fake::detail
