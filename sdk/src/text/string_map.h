#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tally::detail {

struct StringHash : std::hash<std::string_view> {
  using is_transparent = void;
};

/// A map with string keys that can be searched with a string_view. Its values have stable addresses.
template <class Value>
using StringMap = std::unordered_map<std::string, Value, StringHash, std::equal_to<>>;

}  // namespace tally::detail
