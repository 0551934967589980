#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>

namespace [[gnu::visibility("default")]] tally {

/// The reads in the last 30 days that count against a read allocation: reads that the service admitted, and
/// reads without a response that it may have admitted. Reads of data, reporting and tax products do not
/// count, and neither do requests that were refused with 401, 403 or 429. For the number of reads allowed,
/// see `limits::readAllocation` in <tally/limits.h>. Spec: "Limits", "Read (GET) request allocation".
struct ReadsUsed {
  std::int64_t own = 0;  ///< For the account of the client's key.
  /// For the connected accounts of that account: a platform has a separate allocation for them.
  std::int64_t onBehalf = 0;
  /// With another key in `RequestOptions::apiKey` or in an `Authorization` header of the call. Whether that
  /// key's account has a separate allocation is unknown.
  std::int64_t otherKeys = 0;

  bool operator==(const ReadsUsed&) const = default;
};

/// Prints, for example, `12 own, 3 on behalf, 0 with other keys`.
std::ostream& operator<<(std::ostream& out, const ReadsUsed& value);

}  // namespace tally
