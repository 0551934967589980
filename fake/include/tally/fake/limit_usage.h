#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include <tally/clock.h>
#include <tally/limit_types.h>

namespace tally::fake {

using tally::LimitOverride;

/// How much of a limit is used at one moment. Spec: "Limits".
struct LimitUsage {
  std::string limit{};  ///< Such as `global_rate`; also `read_allocation` and `read_allocation_on_behalf`.
  bool livemode = false;
  std::string operation{};                  ///< Set if the limit applies to each operation.
  std::string object{};                     ///< Set if the limit applies to each object.
  std::int64_t used = 0;                    ///< How many count now.
  std::optional<std::int64_t> allowed{};    ///< How many are allowed; empty if the limit is off.
  std::optional<std::int64_t> remaining{};  ///< How many more are admitted now; empty if the limit is off.
  /// When the next request is admitted if nothing else happens; the current time if it would be admitted now.
  /// Empty if the limit is off, or if admission depends on other actions, such as releasing a unit.
  std::optional<Instant> availableAt{};
  /// When `used` next decreases if nothing else happens. Empty if nothing counts, or if the decrease depends
  /// on other actions.
  std::optional<Instant> freesAt{};

  bool operator==(const LimitUsage&) const = default;
};

/// Prints a line such as `endpoint_rate of payouts.list in the sandbox: 3 of 25 used`.
std::ostream& operator<<(std::ostream& out, const LimitUsage& usage);

}  // namespace tally::fake
