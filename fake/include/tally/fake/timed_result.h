#pragma once

#include <memory>
#include <stop_token>

#include <tally/clock.h>
#include <tally/fake/virtual_clock.h>
#include <tally/transport.h>

namespace tally::fake {

/// The result of a request, and when its sender receives it.
struct TimedResult {
  TransportResult result{};
  /// When the response is complete or the failure shows: the request has then been in progress for its whole
  /// duration. Not later than the sender's deadline, at which `result` is a timeout.
  Instant due{};
  /// The service's clock, on which `due` is; null if the sender receives the result immediately.
  std::shared_ptr<VirtualClock> clock{};

  [[nodiscard]] bool isDue() const { return clock == nullptr || clock->now() >= due; }

  /// Waits until `due` as VirtualClock::passUntil() does, which moves a clock that is neither frozen nor
  /// running. Returns false if `stop` ends the wait.
  bool awaitDue(const std::stop_token& stop = {}) const {
    return clock == nullptr || clock->passUntil(due, stop);
  }
};

}  // namespace tally::fake
