#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tally::detail {

/// Compares two texts of equal size, at least that of a Word. The last word overlaps the one before. Most
/// texts consist of two words at most.
template <class Word>
bool equalWords(std::string_view a, std::string_view b) {
  const auto word = [](std::string_view text, std::size_t at) {
    Word bytes = 0;
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    return bytes;
  };
  const std::size_t last = a.size() - sizeof(Word);
  if (word(a, 0) != word(b, 0) || word(a, last) != word(b, last)) return false;
  for (std::size_t i = sizeof(Word); i < last; i += sizeof(Word))
    if (word(a, i) != word(b, i)) return false;
  return true;
}

/// Equality without the library call of `==`: field names are short, and are compared for every value that is
/// read.
inline bool fastEquals(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (a.size() >= sizeof(std::uint64_t)) return equalWords<std::uint64_t>(a, b);
  if (a.size() >= sizeof(std::uint32_t)) return equalWords<std::uint32_t>(a, b);
  return a.empty() || equalWords<char>(a, b);
}

}  // namespace tally::detail
