#pragma once

#include <algorithm>
#include <ranges>
#include <string>
#include <string_view>

namespace tally::detail {

/// How much two texts differ: 0 if they are equal, up to 1. The share of characters to insert, delete or
/// replace, or of neighbors to exchange (optimal string alignment); only the first 64 characters count. Also
/// 1 if the sizes or the beginnings show, in less time, that the texts differ by `limit` or more.
[[nodiscard]] double dissimilarity(std::string_view a, std::string_view b, double limit = 1);

/// The name that is most similar to a misspelled one; empty if none is similar.
template <class Names>
[[nodiscard]] std::string_view mostSimilar(std::string_view misspelled, const Names& names) {
  std::string_view best;
  double least = 0.4;  // from here on, names are not similar
  for (const std::string_view name : names) {
    const double distance =
        !misspelled.empty() && name.starts_with(misspelled) ? 0 : dissimilarity(misspelled, name, least);
    if (distance < least) best = name;
    least = std::min(least, distance);
  }
  return best;
}

/// For the end of an error: asks for the name that is most similar to a misspelled one; empty if none is
/// similar.
template <class Names>
[[nodiscard]] std::string suggestion(std::string_view misspelled, const Names& names) {
  const std::string_view best = mostSimilar(misspelled, names);
  return best.empty() ? "" : "; did you mean '" + std::string{best} + "'?";
}

/// The same, but lists all names if none is similar; empty if there are no names.
template <class Names>
[[nodiscard]] std::string suggestionOrList(std::string_view misspelled, const Names& names) {
  if (std::string one = suggestion(misspelled, names); !one.empty()) return one;
  std::string list;
  for (const std::string_view name : names)
    list.append(list.empty() ? "; expected one of " : ", ").append(name);
  return list;
}

/// The names of what pointers point to, such as operations.
[[nodiscard]] auto namesOf(const auto& pointers) {
  return pointers | std::views::transform([](const auto* each) { return std::string_view{each->name}; });
}

}  // namespace tally::detail
