#pragma once

#include <string>
#include <vector>

#include "bench/driver/results.h"

namespace tally::bench {

/// A table of the ratios that both have: the median of each and its spread, from the least to the greatest. A
/// ratio has changed if the two spreads do not overlap.
[[nodiscard]] std::string comparisonOf(const std::vector<RowResults>& before,
                                       const std::vector<RowResults>& now);

}  // namespace tally::bench
