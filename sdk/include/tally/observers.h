#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tally/observer.h>

// Ready-made observers. They neither keep nor write an API key, a body or metadata, except where
// LogOptions::messages is set: error messages may repeat metadata.

namespace tally {

namespace detail {
class MetricsTable;
}

/// Whether an event belongs in a permanent log: the end of a call, a failed attempt, or a wait before a
/// retry.
[[nodiscard]] bool isNotable(const Event& event) noexcept;

/// Options of logObserver().
struct LogOptions {
  /// Which events are logged. Called in the threads of the calls, concurrently. If it throws, the event is
  /// not logged.
  std::function<bool(const Event&)> select = isNotable;
  /// Also logs `param` and `message` of errors. These may come from the service and may repeat what was sent,
  /// including metadata; an API key appears as `[key]`.
  bool messages = false;
};

/// Receives one line, without a line break at its end.
using LogSink = std::function<void(std::string_view line)>;

/// Writes a line for each event, in the format of `<<`. Lines are whole and never interleave, from any number
/// of threads and clients. `out` is not owned, must outlive the clients, must not be written to by others at
/// the same time, and is not flushed.
[[nodiscard]] std::shared_ptr<Observer> logObserver(std::ostream& out, LogOptions options = {});

/// The same for any other destination. `sink` is called under a lock: it must not make calls with a client
/// that it logs. If it throws, the line is lost.
[[nodiscard]] std::shared_ptr<Observer> logObserver(LogSink sink, LogOptions options = {});

/// Collects metrics about the calls of one or more clients. Thread-safe; recording takes no lock and
/// allocates no memory.
class MetricsObserver final : public Observer {
 public:
  MetricsObserver();
  MetricsObserver(const MetricsObserver&) = delete;
  MetricsObserver& operator=(const MetricsObserver&) = delete;
  ~MetricsObserver() override;

  void on(const Event& event) noexcept override;

  /// All metrics in the Prometheus text exposition format, version 0.0.4; serve them as `text/plain;
  /// version=0.0.4`. Durations are in seconds. The number of label values is bounded, whatever the service
  /// sends: unknown values appear as `other`. Metrics without events are left out.
  [[nodiscard]] std::string prometheusText() const;

 private:
  std::unique_ptr<detail::MetricsTable> table_;
};

/// Prints MetricsObserver::prometheusText().
std::ostream& operator<<(std::ostream& out, const MetricsObserver& counters);

/// Combines observers: each receives every event, in the given order. Null pointers are ignored.
[[nodiscard]] std::shared_ptr<Observer> combineObservers(std::vector<std::shared_ptr<Observer>> all);

}  // namespace tally
