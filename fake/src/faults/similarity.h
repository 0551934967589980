#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace tally::fake::detail {

/// How much two texts differ: 0 if they are equal, up to 1. The share of characters to insert, delete or
/// replace (Levenshtein); only the first 64 characters count.
[[nodiscard]] double dissimilarity(std::string_view a, std::string_view b);

/// For the end of an error: asks for the name that is most similar to a misspelt one; empty if none is
/// similar.
template <class Named>
[[nodiscard]] std::string suggestion(std::string_view misspelt, const Named& known) {
  constexpr double similar = 0.4;
  std::string_view best;
  double least = similar;
  for (const auto* each : known) {
    const double distance = each->name.starts_with(misspelt) ? 0 : dissimilarity(misspelt, each->name);
    if (distance < least) best = each->name;
    least = std::min(least, distance);
  }
  return best.empty() ? "" : "; did you mean '" + std::string{best} + "'?";
}

}  // namespace tally::fake::detail
