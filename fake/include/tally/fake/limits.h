#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include <tally/clock.h>
#include <tally/limit.h>

namespace tally::fake {

using tally::LimitSetting;

/// How much of a limit is used at one moment.
struct LimitUsage {
  std::string limit{};  ///< Such as `global_rate`; `read_allocation` and `read_allocation_on_behalf` too.
  bool livemode = false;
  std::string operation{};               ///< For a limit on each operation.
  std::string object{};                  ///< For a limit on each object.
  std::int64_t used = 0;                 ///< What counts now.
  std::optional<std::int64_t> number{};  ///< How many are allowed; nothing where the limit is off.
  std::optional<std::int64_t> left{};    ///< How many more are admitted now; likewise.
  /// When the next request would be admitted if nothing else happens: now, if one would be. Nothing where the
  /// limit is off, and where it depends on what is done first.
  std::optional<Instant> frees{};

  bool operator==(const LimitUsage&) const = default;
};

/// As `endpoint_rate of payouts.list in the sandbox: 3 of 25 used`.
std::ostream& operator<<(std::ostream& out, const LimitUsage& usage);

}  // namespace tally::fake
