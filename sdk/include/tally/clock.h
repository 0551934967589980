#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <memory>
#include <string>

#include <tally/stop_token.h>

namespace [[gnu::visibility("default")]] tally {

/// A point in time on a Clock: nanoseconds since the Unix epoch, in UTC.
using Instant = std::chrono::sys_time<std::chrono::nanoseconds>;

/// Formats a time as `2026-01-01T00:00:00Z`. A time outside the years 0 to 9999 is formatted as the number of
/// seconds since 1970.
[[nodiscard]] std::string toString(std::chrono::sys_seconds time);
/// The same, with the fraction of the second if there is one.
[[nodiscard]] std::string toString(Instant time);

/// The source of time for a client. Give a Client your own clock to control how time passes; the fake has a
/// virtual clock.
///
/// Implementations must be thread-safe. An exception from a clock propagates through the call that uses it.
/// The call releases what it holds: its turn at the object, its units of the pacer's limits, and its retry
/// token. An observer receives the call's `callEnded` event with ErrorKind::exception.
class Clock {
 public:
  virtual ~Clock() = default;

  /// The current time. Never goes backward.
  [[nodiscard]] virtual Instant now() const = 0;

  /// Waits until `time`, or until a stop is requested. Returns true once `time` is reached (immediately if it
  /// is in the past), and false if the wait is interrupted.
  virtual bool sleepUntil(Instant time, StopToken stop) = 0;

  /// Like sleepUntil(), but for waiting for another thread, which requests a stop when it is done. A virtual
  /// clock does not advance for this wait: the wait ends when other threads advance the clock to `time`.
  virtual bool waitUntil(Instant time, StopToken stop) = 0;

 protected:
  Clock() = default;
  Clock(const Clock&) = default;
  Clock& operator=(const Clock&) = default;
};

/// The default clock, shared by all callers. It starts at the system's wall-clock time on first use and then
/// follows the steady clock, so that changing the system's time neither shortens nor lengthens a wait. After
/// such a change, it differs from `std::chrono::system_clock`.
[[nodiscard]] std::shared_ptr<Clock> systemClock();

}  // namespace tally
