#pragma once

#include <algorithm>
#include <string_view>

namespace tally::detail {

inline char asciiLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

inline bool isControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// Compares two texts of equal size as below. Most that are equal have the same case, which is compared
/// faster. Not inlined, since it is called in many places.
[[gnu::noinline]] inline bool equalLetters(std::string_view a, std::string_view b) {
  return a == b || std::equal(a.begin(), a.end(), b.begin(),
                              [](char x, char y) { return asciiLower(x) == asciiLower(y); });
}

/// Compares ASCII letters without regard to case, as for header names.
inline bool equalIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && equalLetters(a, b);
}

/// Without the `blanks` around it.
inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t") {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

inline bool startsIgnoringCase(std::string_view text, std::string_view beginning) {
  return equalIgnoringCase(text.substr(0, beginning.size()), beginning);
}

}  // namespace tally::detail
