#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include <tally/clock.h>

#include "time/saturating.h"

namespace tally::detail {

/// How many a limit lets through: its full number, or fewer for a while after it was lowered. It rises
/// evenly.
class LearnedNumber {
 public:
  /// `full`: nothing where there is no limit until one is learned. `recovery`: in how long it is full again,
  /// more than 0.
  LearnedNumber(std::optional<std::int64_t> full, std::chrono::nanoseconds recovery)
      : full_(full), recovery_(std::min<std::chrono::nanoseconds>(recovery, longest)) {}

  [[nodiscard]] std::optional<std::int64_t> full() const noexcept { return full_; }
  [[nodiscard]] std::optional<std::int64_t> at(Instant now) const;
  [[nodiscard]] bool isLowered(Instant now) const {
    return low_ && saturatingSince(low_->since, now) < recovery_;
  }

  /// Lowers it to `number`, if it is more. Without a full number it rises to `was` before it goes.
  void lower(std::int64_t number, std::int64_t was, Instant now);

  /// Whether it has been lowered at that time or later.
  [[nodiscard]] bool loweredSince(Instant time) const { return low_ && low_->since >= time; }

  /// When it will have risen, later than `now`; nothing while it is full.
  [[nodiscard]] std::optional<Instant> rises(Instant now) const;

 private:
  /// Longer makes no difference, and can't be reckoned with as exactly.
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
