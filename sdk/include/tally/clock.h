#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

namespace tally {

/// A moment on a Clock: nanoseconds since the Unix epoch, in UTC.
using Instant = std::chrono::sys_time<std::chrono::nanoseconds>;

/// As `2026-01-01T00:00:00Z`; beyond the years 0 to 9999 as the seconds since 1970.
[[nodiscard]] std::string toString(std::chrono::sys_seconds time);
/// The same, with a fraction of the second where there is one.
[[nodiscard]] std::string toString(Instant time);

/// Where everything that reads a time or waits gets it from. Give a Client a clock of your own to decide how
/// time passes; under the fake it is virtual.
///
/// Implementations are thread-safe. What they throw passes through the call that they were asked by: its turn
/// at the object, its place with a pacer and its retry token are given back, and an observer is told of its
/// end, as ErrorKind::exception.
class Clock {
 public:
  virtual ~Clock() = default;

  /// The present moment. Never goes back.
  [[nodiscard]] virtual Instant now() const = 0;

  /// Waits until `time` has come or `stop` is requested. True when the time has come, which it has at once
  /// for a moment in the past; false when the wait was interrupted.
  virtual bool sleepUntil(Instant time, std::stop_token stop) = 0;

  /// The same for a wait for somebody else, which `stop` tells of: a clock on which a sleep takes no time
  /// does not move, but waits until others have moved it there.
  virtual bool awaitUntil(Instant time, std::stop_token stop) = 0;

 protected:
  Clock() = default;
  Clock(const Clock&) = default;
  Clock& operator=(const Clock&) = default;
};

/// The machine's clock: starts at the system's wall-clock time, when it is first asked for, and from then on
/// follows its steady clock, so that setting the system's time neither shortens nor lengthens a wait. So it
/// differs from `std::chrono::system_clock` once that has been set.
[[nodiscard]] std::shared_ptr<Clock> systemClock();

}  // namespace tally
