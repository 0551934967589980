#pragma once

#include <cstdint>
#include <iosfwd>

#include "findings/accepted.h"
#include "findings/findings.h"

namespace tally::fake::detail {

/// How many requests a comparison read and compared.
struct RequestTotals {
  std::uint64_t recorded = 0;
  std::uint64_t compared = 0;
};

/// Writes the findings for people: a heading for each section, and one line for each difference. Returns how
/// many differences are not accepted.
std::size_t writeText(std::ostream& out, const Findings& findings, const RequestTotals& totals,
                      Accepted& accepted);

/// The same for machines: one JSON object on each line, the last with totals.
std::size_t writeJsonLines(std::ostream& out, const Findings& findings, const RequestTotals& totals,
                           Accepted& accepted);

}  // namespace tally::fake::detail
