#include "pacing/fair_share.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>

namespace tally::detail {

/// Those that want least come first: what they leave is for the others. Of equal ones, the last gets what
/// can't be divided.
std::vector<std::int64_t> fairShares(const std::vector<ShareDemand>& demands, std::int64_t total) {
  std::vector<std::size_t> order(demands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t n) { return std::tie(demands[n].want, demands[n].process); });
  std::vector<std::int64_t> shares(demands.size());
  auto left = static_cast<std::int64_t>(demands.size());
  for (const std::size_t n : order) {
    shares[n] = std::max<std::int64_t>(std::min(demands[n].want, total / left--), 1);
    total = std::max<std::int64_t>(total - shares[n], 0);
  }
  return shares;
}

}  // namespace tally::detail
