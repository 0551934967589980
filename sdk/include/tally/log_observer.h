#pragma once

#include <tally/detail/cpp20.h>

#include <functional>
#include <iosfwd>
#include <memory>
#include <string_view>

#include <tally/observer.h>

// A log of calls. It contains no API keys and no bodies. It contains metadata only if LogOptions::messages is
// set, because error messages may repeat metadata.

namespace [[gnu::visibility("default")]] tally {

/// Whether an event belongs in a permanent log: the end of a call, a failed attempt, or a wait before a
/// retry.
[[nodiscard]] bool isNotable(const Event& event) noexcept;

/// Options of logObserver().
struct LogOptions {
  /// Which events are logged. Called in the threads of the calls, concurrently. If it throws, the event is
  /// not logged.
  std::function<bool(const Event&)> select = isNotable;
  /// Also logs the `param` and `message` of errors. These may come from the service and may repeat what was
  /// sent, including metadata; an API key appears as `[key]`.
  bool messages = false;
};

std::ostream& operator<<(std::ostream& out, const LogOptions& value);

/// Receives one line, without a line break at its end.
using LogSink = std::function<void(std::string_view line)>;

/// Writes one line for each selected event, in the format of `<<`. Lines never interleave, whatever the
/// number of threads and clients. `out` is not owned and not flushed. It must outlive the clients, and
/// nothing else may write to it at the same time.
[[nodiscard]] std::shared_ptr<Observer> logObserver(std::ostream& out, LogOptions options = {});

/// The same for any other destination. `sink` is called under a lock, so it must not make calls with a client
/// whose calls it logs. If it throws, the line is lost.
[[nodiscard]] std::shared_ptr<Observer> logObserver(LogSink sink, LogOptions options = {});

}  // namespace tally
