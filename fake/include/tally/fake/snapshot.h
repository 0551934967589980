#pragma once

#include <memory>
#include <utility>

#include <tally/clock.h>

namespace tally::fake {

namespace detail {
struct State;
}

/// What a Service was at one moment, to go back to with Service::restore(). Does not change; copies share it.
/// Only for the service that it was taken of, and its forks.
class Snapshot {
 public:
  Snapshot(std::shared_ptr<const detail::State> state, Instant time)
      : state_(std::move(state)), time_(time) {}

  [[nodiscard]] const std::shared_ptr<const detail::State>& state() const noexcept { return state_; }
  [[nodiscard]] Instant time() const noexcept { return time_; }

 private:
  std::shared_ptr<const detail::State> state_;
  Instant time_;
};

}  // namespace tally::fake
