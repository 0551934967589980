#pragma once

#include <algorithm>
#include <string_view>

namespace tally::detail {

inline char asciiLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline bool isControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// Compares ASCII letters without regard to case, as for header names.
inline bool equalIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return asciiLower(x) == asciiLower(y); });
}

inline bool startsIgnoringCase(std::string_view text, std::string_view beginning) {
  return equalIgnoringCase(text.substr(0, beginning.size()), beginning);
}

}  // namespace tally::detail
