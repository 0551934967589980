#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tally/clock.h>

namespace tally::fake::detail {

/// Counts the requests in flight: those with a known end, and those held until they are released.
class ConcurrencyCounter {
 public:
  [[nodiscard]] std::int64_t count(Instant now);
  [[nodiscard]] std::int64_t countAt(Instant now) const;

  /// Adds a request that is in flight from `now` until just before `end`.
  void addUntil(Instant end, Instant now);

  /// Adds requests without a known end.
  void hold(std::int64_t units = 1) { held_ += units; }
  void release(std::int64_t units = 1) { held_ -= units; }

  /// Releases every request without a known end.
  void dropHeld() { held_ = 0; }

  /// The earliest time, not before `now`, at which fewer than `number` requests are in flight if nothing else
  /// happens. Nothing if that never happens or requires a release.
  [[nodiscard]] std::optional<Instant> fallsBelow(std::int64_t number, Instant now) const;

 private:
  void forget(Instant now);

  std::vector<Instant> ends_{};  // a min-heap
  std::int64_t held_ = 0;
};

}  // namespace tally::fake::detail
