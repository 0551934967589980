#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include <tally/clock.h>

namespace tally::fake {

/// Another number for a limit of the API description, as support grants a limit increase.
struct LimitSetting {
  std::string limit{};  ///< Its name, such as `global_rate`; <tally/limits.h> has all of them.
  /// How many; 0 refuses everything. Nothing: the limit is switched off.
  std::optional<std::int64_t> number{};
  std::optional<bool> livemode{};  ///< In one mode; nothing: in both.
  std::string operation{};         ///< For a limit on each operation: for this one; empty: for each.
  std::string country{};           ///< For accounts in that country; empty: wherever they are.
  std::string industry{};          ///< For accounts in that industry; empty: whatever they do.
};

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
