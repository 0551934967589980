#pragma once

#include <chrono>
#include <iosfwd>
#include <type_traits>

namespace [[gnu::visibility("default")]] tally {

/// A point in time in whole seconds, as the service uses it, for arguments of calls. Every
/// `std::chrono::sys_time` converts to it, such as `std::chrono::system_clock::now()`; fractions of a second
/// are dropped, toward the past. Converts to `std::chrono::sys_seconds`.
class Timestamp : public std::chrono::sys_seconds {
 public:
  Timestamp() = default;
  constexpr explicit Timestamp(std::chrono::seconds sinceEpoch) : std::chrono::sys_seconds(sinceEpoch) {}
  /// `time` must lie within the range of `std::chrono::sys_seconds`.
  template <class Duration>
  constexpr Timestamp(const std::chrono::sys_time<Duration>& time)
      : std::chrono::sys_seconds(std::chrono::floor<std::chrono::seconds>(time)) {}

  /// Prints it as toString() returns it.
  friend std::ostream& operator<<(std::ostream& out, const Timestamp& time);
};

// In a `co_await`, g++ 12 destroys other temporaries twice.
static_assert(std::is_trivially_copyable_v<Timestamp>);

}  // namespace tally
