#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <iosfwd>
#include <memory>
#include <string_view>

#include <tally/clock.h>
#include <tally/fake/virtual_clock.h>
#include <tally/stop_token.h>
#include <tally/transport.h>

namespace tally::fake {

/// The result of a request, and when its sender receives it.
struct ScheduledResult {
  TransportResult result{};
  /// When the response is complete or the failure becomes visible; the request is in progress until then. If
  /// the sender's deadline is earlier, `due` is that deadline, and `result` is a timeout.
  Instant due{};
  /// The clock to which `due` refers. A Service always sets it; null means that the result is due
  /// immediately.
  std::shared_ptr<VirtualClock> clock{};
  /// What an injected fault adds to the time until `due`, apart from pauses: see FaultRule::latency.
  std::chrono::nanoseconds latency{0};
  /// The body of the response arrives in this many parts, the last at `due`, with a `pause` before each
  /// except the first: see FaultRule::chunks.
  int chunks = 1;
  std::chrono::nanoseconds pause{0};
  // The outcome of the request, as constants of the API description, for the metrics of a server.
  std::string_view operation{};  ///< Such as `payment_records.retrieve`; empty if the path has none.
  std::string_view limit{};      ///< The limit that refused it; empty if none did.
  std::string_view fault{};      ///< The injected fault that affected it; empty if none did.

  [[nodiscard]] bool isDue() const { return clock == nullptr || clock->now() >= due; }

  /// Waits until `due` as VirtualClock::passUntil() does, which moves a clock that is neither frozen nor
  /// running. Returns false if `stop` ends the wait.
  bool waitUntilDue(const StopToken& stop = {}) const {
    return clock == nullptr || clock->passUntil(due, stop);
  }
};

std::ostream& operator<<(std::ostream& out, const ScheduledResult& value);

}  // namespace tally::fake
