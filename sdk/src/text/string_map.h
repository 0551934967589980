#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tally::detail {

struct StringHash {
  using is_transparent = void;

  /// Not noexcept: libstdc++ then keeps the hash of each key, instead of hashing the keys of a whole bucket
  /// again.
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

/// A map with string keys that can be searched with a string_view. Its values have stable addresses.
template <class Value>
using StringMap = std::unordered_map<std::string, Value, StringHash, std::equal_to<>>;

}  // namespace tally::detail
