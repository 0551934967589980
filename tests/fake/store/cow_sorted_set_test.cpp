#include "store/cow_sorted_set.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "text/random.h"

namespace tally::fake::detail {

namespace {

/// The values from the greatest down.
template <class Set>
std::vector<int> valuesOf(const Set& set) {
  std::vector<int> values;
  for (auto place = set.greatest(); place != set.end(); ++place)
    values.push_back(*place);
  return values;
}

std::vector<int> valuesOf(const std::set<int>& model) {
  return {model.rbegin(), model.rend()};
}

/// Whether the set finds the greatest value below each number, as the model does.
testing::AssertionResult findsAllOf(const CowSortedSet<int>& set, const std::set<int>& model, int end) {
  for (int number = 0; number <= end; ++number) {
    const auto place = set.below(number);
    const auto above = model.lower_bound(number);
    const bool exists = above != model.begin();
    if ((place != set.end()) != exists || (exists && *place != *std::prev(above)))
      return testing::AssertionFailure() << "below " << number;
    if (set.distance(set.greatest(), place) != static_cast<std::size_t>(std::distance(above, model.end())))
      return testing::AssertionFailure() << "the distance to " << number;
    if (model.contains(number) && *set.at(number) != number)
      return testing::AssertionFailure() << "at " << number;
  }
  return testing::AssertionSuccess();
}

/// Enough values for many parts, inserted and erased in random order. In the third phase, most are erased, so
/// that parts become empty; in the last one, others take their place.
TEST(CowSortedSet, EqualsASetInAnyOrderOfInsertionsAndErasures) {
  constexpr int end = 6'000;
  std::uint64_t random = 1;
  CowSortedSet<int> set;
  std::set<int> model;
  std::vector<std::pair<CowSortedSet<int>, std::set<int>>> copies;
  for (const unsigned inserted : {90U, 50U, 5U, 70U}) {  // percent
    for (int change = 0; change < 2 * end; ++change) {
      const auto value = static_cast<int>(tally::detail::nextRandom(random) % end);
      if (tally::detail::nextRandom(random) % 100 < inserted) {
        if (model.insert(value).second) set.insert(value);
      } else if (model.erase(value) != 0) {
        set.erase(value);
      }
    }
    EXPECT_EQ(valuesOf(set), valuesOf(model));
    EXPECT_TRUE(findsAllOf(set, model, end));
    copies.emplace_back(set, model);
  }
  for (const auto& [copy, values] : copies)
    EXPECT_EQ(valuesOf(copy), valuesOf(values));
}

TEST(CowSortedSet, IsEmptyAfterTheLastErasure) {
  CowSortedSet<int> set;
  set.insert(1);
  set.erase(1);
  EXPECT_EQ(set.greatest(), set.end());
  EXPECT_EQ(set.below(5), set.end());
  set.insert(0);
  EXPECT_EQ(*set.greatest(), 0);
}

}  // namespace

}  // namespace tally::fake::detail
