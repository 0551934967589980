#pragma once

#include <chrono>
#include <cstddef>

#include "time/sliding_window.h"

namespace tally::fake::detail {

using tally::detail::SlidingWindow;

/// Counts the reads and transactions of an account in one mode. Spec: "Limits", "Read (GET) request
/// allocation".
struct ReadCounters {
  /// To bound the memory, each window is exact only up to this many distinct instants. Beyond that, reads
  /// expire late and transactions early, so the fake never allows more reads than the allocation.
  static constexpr std::size_t mostInstants = 4'096;

  explicit ReadCounters(std::chrono::nanoseconds window)
      : own(window, mostInstants),
        onBehalf(window, mostInstants),
        transactions(window, mostInstants, SlidingWindow::Joined::leaveWithFirst) {}

  SlidingWindow own;
  SlidingWindow onBehalf;  // reads for connected accounts
  SlidingWindow transactions;
};

}  // namespace tally::fake::detail
