#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <iosfwd>
#include <type_traits>

namespace [[gnu::visibility("default")]] tally {

/// A point in time in whole seconds, as the service uses it, for arguments of calls. Every
/// `std::chrono::sys_time`, such as `std::chrono::system_clock::now()`, converts to it; fractions of a second
/// are rounded towards the past. Converts to `std::chrono::sys_seconds`.
class Timestamp : public std::chrono::sys_seconds {
 public:
  Timestamp() = default;
  constexpr explicit Timestamp(std::chrono::seconds sinceEpoch) : std::chrono::sys_seconds(sinceEpoch) {}
  /// `time` must be within the range of `std::chrono::sys_seconds`.
  template <class Duration>
  constexpr Timestamp(const std::chrono::sys_time<Duration>& time)
      : std::chrono::sys_seconds(std::chrono::floor<std::chrono::seconds>(time)) {}
  /// Does not compile: the unit and the origin of a number are unknown.
  template <class Number>
    requires std::is_arithmetic_v<Number>
  constexpr Timestamp(Number) {
    static_assert(!std::is_arithmetic_v<Number>,
                  "tally: a number is not a time: n seconds since the Unix epoch are "
                  "std::chrono::sys_seconds{std::chrono::seconds{n}}");
  }
  /// Does not compile: the time of a std::chrono::steady_clock, for example, is not related to the date.
  template <class Clock, class Duration>
    requires(!std::is_same_v<Clock, std::chrono::system_clock>)
  constexpr Timestamp(const std::chrono::time_point<Clock, Duration>&) {
    static_assert(std::is_void_v<Clock>,
                  "tally: a time is a std::chrono::sys_time, such as std::chrono::system_clock::now()");
  }
  /// Does not compile: the origin of a duration is unknown.
  template <class Rep, class Period>
    requires(!std::is_convertible_v<std::chrono::duration<Rep, Period>, std::chrono::seconds>)
  constexpr Timestamp(std::chrono::duration<Rep, Period>) {
    static_assert(std::is_void_v<Rep>,
                  "tally: a duration is not a time: a duration d since the Unix epoch is "
                  "std::chrono::sys_time<decltype(d)>{d}");
  }

  /// Prints the time in the format of toString().
  friend std::ostream& operator<<(std::ostream& out, const Timestamp& time);
};

// In a `co_await`, g++ 12 destroys each temporary twice unless it is trivially copyable.
static_assert(std::is_trivially_copyable_v<Timestamp>);

}  // namespace tally
