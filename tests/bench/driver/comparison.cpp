#include "bench/driver/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tally::bench {

namespace {

/// One number of a ratio, over all runs.
struct Spread {
  double least = 0;
  double median = 0;
  double greatest = 0;
};

/// Runs that lack the number don't count.
Spread spreadOf(const RowResults& results, std::size_t index) {
  std::vector<double> numbers;
  for (const Row& row : results.runs)
    if (const auto all = numbersIn(row.ratio); index < all.size()) numbers.push_back(all[index]);
  if (numbers.empty()) return {};
  std::ranges::sort(numbers);
  return {.least = numbers.front(), .median = numbers[(numbers.size() - 1) / 2], .greatest = numbers.back()};
}

std::string inWords(const Spread& spread) {
  constexpr int digits = 3;
  std::string text = fixed(spread.median, digits);
  if (spread.least < spread.greatest)
    text += " (" + fixed(spread.least, digits) + " to " + fixed(spread.greatest, digits) + ')';
  return text;
}

std::string changeOf(const Spread& before, const Spread& now) {
  constexpr double percent = 100;
  if (before.median == 0) return "—";
  const double change = (now.median / before.median - 1) * percent;
  return (change < 0 ? "− " : "+ ") + fixed(std::abs(change), 1) + " %";
}

/// The goal tells which direction is better.
std::string verdictOn(const Spread& before, const Spread& now, const std::string& goal) {
  if (now.least <= before.greatest && before.least <= now.greatest) return "within the spread";
  const bool isLess = now.median < before.median;
  if (goal.starts_with("≤")) return isLess ? "better" : "WORSE";
  if (goal.starts_with("≥")) return isLess ? "WORSE" : "better";
  return isLess ? "less" : "more";
}

}  // namespace

std::string comparisonOf(const std::vector<RowResults>& before, const std::vector<RowResults>& now) {
  std::vector<std::vector<std::string>> lines{{"ratio of", "before", "now", "change", "verdict"}};
  for (const RowResults& row : now) {
    const std::string& what = row.median().what;
    const auto earlier =
        std::ranges::find(before, what, [](const RowResults& one) { return one.median().what; });
    if (earlier == before.end()) {
      lines.push_back({what, "—", row.median().ratio, "—", "new"});
      continue;
    }
    const std::size_t count = numbersIn(row.median().ratio).size();
    for (std::size_t index = 0; index < count; ++index) {
      const Spread old = spreadOf(*earlier, index);
      const Spread latest = spreadOf(row, index);
      lines.push_back({what, inWords(old), inWords(latest), changeOf(old, latest),
                       verdictOn(old, latest, row.median().goal)});
    }
  }
  return aligned(lines);
}

}  // namespace tally::bench
