#include "bench/driver/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

namespace tally::bench {

namespace {

/// One number of a ratio, over all runs.
struct Spread {
  double least = 0;
  double median = 0;
  double greatest = 0;
};

/// Runs that lack the number don't count. Nothing if all do, as those of a row that was skipped.
std::optional<Spread> spreadOf(const RowResults& results, std::size_t index) {
  std::vector<double> numbers;
  for (const Row& row : results.runs)
    if (const auto all = numbersIn(row.ratio); index < all.size()) numbers.push_back(all[index]);
  if (numbers.empty()) return std::nullopt;
  std::ranges::sort(numbers);
  return Spread{
      .least = numbers.front(), .median = numbers[(numbers.size() - 1) / 2], .greatest = numbers.back()};
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

/// The goal determines which direction is better.
std::string verdictOn(const Spread& before, const Spread& now, const std::string& goal) {
  if (now.least <= before.greatest && before.least <= now.greatest) return "within the spread";
  const bool isLess = now.median < before.median;
  if (goal.starts_with("≤")) return isLess ? "better" : "WORSE";
  if (goal.starts_with("≥")) return isLess ? "WORSE" : "better";
  return isLess ? "less" : "more";
}

using Cells = std::vector<std::string>;

/// Of one number of the ratio that both may have.
Cells compared(const RowResults* before, const RowResults& now, std::size_t index) {
  const auto old = before == nullptr ? std::nullopt : spreadOf(*before, index);
  const auto latest = spreadOf(now, index);
  const Row& row = now.median();
  if (!old) return {row.what, "—", inWords(*latest), "—", "new"};
  return {row.what, inWords(*old), inWords(*latest), changeOf(*old, *latest),
          verdictOn(*old, *latest, row.goal)};
}

}  // namespace

std::string comparisonOf(const std::vector<RowResults>& before, const std::vector<RowResults>& now) {
  std::vector<Cells> lines{{"ratio of", "before", "now", "change", "verdict"}};
  for (const RowResults& row : now) {
    const auto earlier = std::ranges::find_if(
        before, [&](const RowResults& one) { return one.runs.front().what == row.runs.front().what; });
    const std::size_t count = numbersIn(row.median().ratio).size();
    for (std::size_t index = 0; index < count; ++index)
      lines.push_back(compared(earlier == before.end() ? nullptr : &*earlier, row, index));
  }
  return aligned(lines);
}

}  // namespace tally::bench
