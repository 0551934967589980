#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tally/clock.h>

namespace tally::fake::detail {

/// Which objects of an account and mode are locked: by requests that change them, and by tests. There are no
/// more than a few at a time, so a list will do.
class ObjectLocks {
 public:
  /// Until when the object is locked, or nothing if it is not. Instant::max() for a lock with an open end.
  [[nodiscard]] std::optional<Instant> lockedUntil(std::string_view id, Instant now);

  /// Locks it until `end`; `holder` is the number to unlock() it with, or 0 for nobody's.
  void lock(std::string_view id, Instant end, std::uint64_t holder = 0);

  void unlock(std::uint64_t holder);

  /// Unlocks what anybody holds.
  void dropHeld();

 private:
  struct Hold {
    std::string id{};
    Instant end{};
    std::uint64_t holder = 0;
  };

  void remove(std::size_t index);

  std::vector<Hold> holds_{};
};

}  // namespace tally::fake::detail
