#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tally::detail {

/// A process that needs units of a limit.
struct ShareDemand {
  std::string process{};
  std::int64_t want = 0;  // more than 0
};

/// How many of `total` units each process gets, in the order of `demands`: as many as it wants, or, if there
/// are too few, as many as the others that also want more. At least one. The same in every process that knows
/// the same demands.
[[nodiscard]] std::vector<std::int64_t> fairShares(const std::vector<ShareDemand>& demands,
                                                   std::int64_t total);

}  // namespace tally::detail
