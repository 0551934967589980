#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace tally::detail {

/// Whether two texts are equal. For the short names of fields, which are compared for every value that is
/// read, this takes about half the time of the library's comparison, which is a call.
inline bool sameText(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const auto word = [](const char* text) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text, sizeof bytes);
    return bytes;
  };
  constexpr std::size_t step = sizeof(std::uint64_t);
  if (a.size() < step) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i] != b[i]) return false;
    return true;
  }
  for (std::size_t i = 0; i + step < a.size(); i += step)
    if (word(a.data() + i) != word(b.data() + i)) return false;
  // The last word overlaps the one before.
  const std::size_t last = a.size() - step;
  return word(a.data() + last) == word(b.data() + last);
}

}  // namespace tally::detail
