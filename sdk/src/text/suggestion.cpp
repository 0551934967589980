#include "text/suggestion.h"

#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

namespace tally::detail {

namespace {

constexpr std::size_t longest = 64;  // the time grows with the square of the length

}  // namespace

double dissimilarity(std::string_view a, std::string_view b, double limit) {
  a = a.substr(0, longest);
  b = b.substr(0, longest);
  if (a.empty() && b.empty()) return 0;
  const auto [shorter, longer] = std::minmax({a.size(), b.size()});
  const auto reachesLimit = [most = limit * static_cast<double>(longer)](std::size_t edits) {
    return static_cast<double>(edits) >= most;
  };
  if (reachesLimit(longer - shorter)) return 1;
  using Row = std::array<std::size_t, longest + 1>;
  Row earlier{};  // the row before `previous`
  Row previous{};
  Row row{};  // how many edits turn the beginning of `a` into each beginning of `b`
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    earlier = std::exchange(previous, row);
    row[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool isSame = a[i - 1] == b[j - 1];
      row[j] = std::min({previous[j - 1] + (isSame ? 0 : 1), row[j - 1] + 1, previous[j] + 1});
      const bool isTransposed = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (isTransposed) row[j] = std::min(row[j], earlier[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (reachesLimit(least)) return 1;  // later rows have no smaller number
  }
  return static_cast<double>(row[b.size()]) / static_cast<double>(longer);
}

}  // namespace tally::detail
