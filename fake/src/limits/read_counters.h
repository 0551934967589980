#pragma once

#include <chrono>
#include <cstddef>

#include "time/sliding_window.h"

namespace tally::fake::detail {

using tally::detail::SlidingWindow;

/// The reads and the transactions of an account, in one mode. Spec: "Limits", "Read (GET) request
/// allocation".
struct ReadCounters {
  /// Exact for so many different instants within the window; then coarser, which bounds the memory. Reads
  /// leave late then and transactions early, so there are never more reads than the allocation.
  static constexpr std::size_t mostInstants = 4'096;

  explicit ReadCounters(std::chrono::nanoseconds window)
      : own(window, mostInstants),
        onBehalf(window, mostInstants),
        transactions(window, mostInstants, SlidingWindow::Joined::leaveWithFirst) {}

  SlidingWindow own;       // reads for itself
  SlidingWindow onBehalf;  // reads for accounts that are connected to it
  SlidingWindow transactions;
};

}  // namespace tally::fake::detail
