#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include <tally/clock.h>

namespace tally::detail {

/// The minimum of the durations in the current and the previous period. A period starts with the first
/// duration a minute or more after the start of the last one, so old values stay until new ones replace them.
class WindowedMin {
 public:
  [[nodiscard]] std::optional<std::chrono::nanoseconds> value() const {
    return before_ ? std::min(before_, lately_) : lately_;
  }

  /// Whether a second has passed since the first duration. Durations of one moment may all be long.
  [[nodiscard]] bool isSettled(Instant now) const {
    return first_ && now - *first_ >= std::chrono::seconds{1};
  }

  void add(std::chrono::nanoseconds duration, Instant now) {
    if (!first_) first_ = now;
    if (lately_ && now - since_ < std::chrono::minutes{1}) {
      lately_ = std::min(*lately_, duration);
      return;
    }
    before_ = lately_;
    lately_ = duration;
    since_ = now;
  }

 private:
  std::optional<Instant> first_{};
  std::optional<std::chrono::nanoseconds> before_{};
  std::optional<std::chrono::nanoseconds> lately_{};
  Instant since_{};
};

}  // namespace tally::detail
