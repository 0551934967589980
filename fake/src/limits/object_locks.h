#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tally/clock.h>

#include "text/by_text.h"

namespace tally::fake::detail {

/// Which objects of an account and mode are locked: by requests that change them, and by tests. However many
/// objects are locked, each operation on one of them takes constant time.
class ObjectLocks {
 public:
  /// Until when the object is locked, or nothing if it is not. Instant::max() for a lock with an open end.
  [[nodiscard]] std::optional<Instant> lockedUntil(std::string_view id, Instant now);

  /// Locks it from `now` until `end`; `holder` is the number to unlock() it with, or 0 for nobody's.
  void lock(std::string_view id, Instant now, Instant end, std::uint64_t holder = 0);

  void unlock(std::string_view id, std::uint64_t holder);

  /// Unlocks what anybody holds.
  void dropHeld();

  /// How many objects are remembered: those that are locked, and some that were.
  [[nodiscard]] std::size_t objects() const noexcept { return locks_.size(); }

 private:
  struct Hold {
    Instant end{};
    std::uint64_t holder = 0;
  };
  struct Locks {
    Instant ofRequests = Instant::min();  // the last of their ends
    std::vector<Hold> held{};

    [[nodiscard]] Instant end() const;
  };

  void sweep(Instant now);

  tally::detail::ByText<Locks> locks_{};
  std::size_t sweepAt_ = 64;
};

}  // namespace tally::fake::detail
