#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include <tally/clock.h>

namespace tally::fake {

/// A read allocation at one moment.
struct AllocationPoint {
  Instant time{};
  std::int64_t used = 0;     ///< How many reads count then.
  std::int64_t allowed = 0;  ///< How many are allowed then.

  bool operator==(const AllocationPoint&) const = default;
};

std::ostream& operator<<(std::ostream& out, const AllocationPoint& value);

/// How a read allocation will change if nothing else happens: reads and transactions stop counting when they
/// leave the window. Spec: "Limits", "Read (GET) request allocation".
struct AllocationForecast {
  std::string limit{};  ///< `read_allocation` or `read_allocation_on_behalf`.
  bool livemode = false;
  /// Evenly spaced, from now until every current read has left the window.
  std::vector<AllocationPoint> points{};
};

std::ostream& operator<<(std::ostream& out, const AllocationForecast& value);

}  // namespace tally::fake
