#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tally::detail {

struct TextHash : std::hash<std::string_view> {
  using is_transparent = void;
};

/// A map from text that can be asked with a view of one. Its values stay where they are.
template <class Value>
using ByText = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

}  // namespace tally::detail
