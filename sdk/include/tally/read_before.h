#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>

namespace [[gnu::visibility("default")]] tally {

/// Whether reportAll() reads an object before reporting on it. The earlier state of the object makes it
/// possible to resolve a lost report, and to report only on the right attempt. This costs one read per
/// report. See ReportCheckOptions.
enum class ReadBefore : std::uint8_t {
  unlessAttemptKnown,  ///< Only if the report does not name its attempt.
  always,  ///< Before each report. This also resolves cases where the object shows another report.
  /// Before no report. A lost report that does not name its attempt is never resent; it ends as
  /// ReportEnd::unknown unless the object shows it.
  never,
};

std::ostream& operator<<(std::ostream& out, ReadBefore value);

}  // namespace tally
