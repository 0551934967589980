#include "faults/similarity.h"

#include <array>
#include <cstddef>
#include <numeric>

namespace tally::fake::detail {

namespace {

constexpr std::size_t longest = 64;  // the time grows with the square of the length

}  // namespace

double dissimilarity(std::string_view a, std::string_view b) {
  a = a.substr(0, longest);
  b = b.substr(0, longest);
  if (a.empty() && b.empty()) return 0;
  std::array<std::size_t, longest + 1> row{};
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return static_cast<double>(row[b.size()]) / static_cast<double>(std::max(a.size(), b.size()));
}

}  // namespace tally::fake::detail
