#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include <tally/clock.h>

#include "time/saturating.h"

namespace tally::detail {

/// How many requests a limit admits: the full number, or fewer after lower(). It then recovers linearly.
class AdaptiveLimit {
 public:
  /// `full`: nullopt if there is no limit until one is learned. `recovery`: the time to recover, more than 0.
  AdaptiveLimit(std::optional<std::int64_t> full, std::chrono::nanoseconds recovery)
      : full_(full), recovery_(std::min<std::chrono::nanoseconds>(recovery, longest)) {}

  [[nodiscard]] std::optional<std::int64_t> full() const noexcept { return full_; }
  [[nodiscard]] std::optional<std::int64_t> at(Instant now) const;
  [[nodiscard]] bool isLowered(Instant now) const {
    return low_ && saturatingSince(low_->since, now) < recovery_;
  }

  /// Lowers the number to `number` if it is higher. Without a full number, it recovers to `was`, after which
  /// there is no limit again.
  void lower(std::int64_t number, std::int64_t was, Instant now);

  /// Whether it was last lowered at `time` or later.
  [[nodiscard]] bool loweredSince(Instant time) const { return low_ && low_->since >= time; }

  /// When it next increases, later than `now`; nullopt if it is full.
  [[nodiscard]] std::optional<Instant> rises(Instant now) const;

 private:
  /// Longer times make no difference, and reduce precision.
  static constexpr std::chrono::years longest{100};

  struct Low {
    std::int64_t from = 0;
    std::int64_t to = 0;
    Instant since{};
  };

  [[nodiscard]] std::int64_t risenTo(Instant now) const;

  std::optional<std::int64_t> full_;
  std::chrono::nanoseconds recovery_;
  std::optional<Low> low_{};
};

}  // namespace tally::detail
