#pragma once

#include <tally/detail/cpp20.h>

#include <iosfwd>
#include <memory>
#include <utility>

#include <tally/clock.h>
#include <tally/fake/virtual_clock.h>

namespace tally::fake {

namespace detail {
struct ServiceState;
}

/// The state of a Service at one moment, for Snapshots::restore(). Immutable. Copies share the state, and
/// moving a Snapshot copies it. Valid only for the service from which it was taken and its forks.
class Snapshot {
 public:
  Snapshot(std::shared_ptr<const detail::ServiceState> state, const VirtualClock::Reading& clock)
      : state_(std::move(state)), clock_(clock) {}
  Snapshot(const Snapshot&) = default;  // no move, which would leave an empty Snapshot
  Snapshot& operator=(const Snapshot&) = default;
  ~Snapshot() = default;

  [[nodiscard]] const std::shared_ptr<const detail::ServiceState>& state() const noexcept { return state_; }
  [[nodiscard]] Instant time() const noexcept { return clock_.time; }
  [[nodiscard]] const VirtualClock::Reading& clock() const noexcept { return clock_; }

 private:
  std::shared_ptr<const detail::ServiceState> state_;
  VirtualClock::Reading clock_;
};

/// Prints the reading of its clock.
std::ostream& operator<<(std::ostream& out, const Snapshot& value);

}  // namespace tally::fake
