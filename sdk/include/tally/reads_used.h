#pragma once

#include <cstdint>
#include <iosfwd>

namespace tally {

/// Reads that count against a read allocation: those of the last 30 days that the service admitted, or may
/// have admitted, where no answer says so. Reads of data, reporting and tax products do not count, nor what
/// was refused with 401, 403 or 429. How many there may be: `limits::readAllocation` in <tally/limits.h>.
/// Spec: "Limits", "Read (GET) request allocation".
struct ReadsUsed {
  std::int64_t own = 0;  ///< For the account of the client's key.
  std::int64_t onBehalf =
      0;  ///< For its connected accounts, which a platform has an allocation of its own for.
  /// With a `RequestOptions::key`, of whose account the client does not know whether it has an allocation of
  /// its own.
  std::int64_t otherKeys = 0;

  bool operator==(const ReadsUsed&) const = default;
};

/// As `12 own, 3 on behalf, 0 with other keys`.
std::ostream& operator<<(std::ostream& out, const ReadsUsed& value);

}  // namespace tally
