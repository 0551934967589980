#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <tally/clock.h>

namespace tally::fake {

/// The requests that a limit refused in one minute.
struct RefusedMinute {
  Instant start{};
  std::int64_t refusals = 0;

  bool operator==(const RefusedMinute&) const = default;
};

std::ostream& operator<<(std::ostream& out, const RefusedMinute& value);

/// What happened at a limit during the last 24 hours on the service's clock, regardless of what the log has
/// dropped.
/// Spec: "Limits".
struct LimitHistory {
  std::string limit{};  ///< Such as `global_rate`; also `read_allocation` and `read_allocation_on_behalf`.
  bool livemode = false;
  std::string operation{};                ///< Set if the limit applies to each operation.
  std::optional<std::int64_t> allowed{};  ///< How many are allowed now; empty if the limit is off.
  /// The highest use at any moment, for one object if the limit applies to each object.
  std::int64_t highestUse = 0;
  std::optional<Instant> highestAt{};  ///< When the use was highest; empty if nothing counted.
  std::string highestObject{};  ///< The object of the highest use, if the limit applies to each object.
  std::int64_t refusals = 0;    ///< How many requests the limit refused.
  /// Accurate only to the minute if refusals began more than 24 hours ago.
  std::optional<Instant> firstRefusal{};
  std::optional<Instant> lastRefusal{};
  std::string refusedObject{};  ///< The object of the last refusal, if the limit applies to each object.
  std::vector<RefusedMinute> minutes{};  ///< Those with refusals, oldest first.

  bool operator==(const LimitHistory&) const = default;
};

/// Prints a line such as `endpoint_rate of payouts.list in the sandbox: 15 refused, highest use 25 of 25`.
std::ostream& operator<<(std::ostream& out, const LimitHistory& history);

}  // namespace tally::fake
