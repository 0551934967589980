#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tally/clock.h>

#include "text/string_map.h"

namespace tally::fake::detail {

/// The locked objects of an account in one mode. Requests that change objects lock them, and so do tests.
/// Operations on one object take amortized constant time.
class ObjectLocks {
 public:
  /// The end of the lock, or nothing if the object is not locked. Instant::max() if the lock has no end.
  [[nodiscard]] std::optional<Instant> lockedUntil(std::string_view id, Instant now);

  /// When the lock of the object ends, or when the last one ended. Instant::min() if that is forgotten, which
  /// happens only to objects that no request waits for.
  [[nodiscard]] Instant lastEnd(std::string_view id) const;

  /// A request waits for the object, which is locked, until endWait().
  void beginWait(std::string_view id);
  void endWait(std::string_view id);

  /// Locks the object from `now` until `end`. `holder` identifies the lock for unlock(); 0 means a request.
  void lock(std::string_view id, Instant now, Instant end, std::uint64_t holder = 0);

  void unlock(std::string_view id, Instant now, std::uint64_t holder);

  /// Releases every lock that has a holder, and forgets the requests that wait.
  void dropHeld();

  /// The number of objects in memory: the locked ones, those that requests wait for, and some that were
  /// locked.
  [[nodiscard]] std::size_t objects() const noexcept { return locks_.size(); }

 private:
  struct Hold {
    Instant end{};
    std::uint64_t holder = 0;
  };
  struct Locks {
    Instant ofRequests = Instant::min();  // the latest end, also of locks that were released
    std::vector<Hold> held{};
    std::size_t waiting = 0;

    [[nodiscard]] Instant end() const;
  };

  void sweep(Instant now);

  tally::detail::StringMap<Locks> locks_{};
  std::size_t sweepAt_ = 64;
};

}  // namespace tally::fake::detail
