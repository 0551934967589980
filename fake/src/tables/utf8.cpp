#include "tables/utf8.h"

#include <algorithm>
#include <cstddef>

#include "text/ascii.h"
#include "text/utf8_sequence.h"

namespace tally::fake::detail {

using tally::detail::utf8SequenceLength;

namespace {

constexpr std::size_t longestReadable = 200;

}  // namespace

/// Looks for both cases of the first letter, since to find one character is fast.
bool containsIgnoringCase(std::string_view text, std::string_view part) {
  using tally::detail::asciiLower;
  if (part.empty()) return true;
  const char lower = asciiLower(part.front());
  const char upper = lower >= 'a' && lower <= 'z' ? static_cast<char>(lower - 'a' + 'A') : lower;
  std::size_t nextLower = text.find(lower);
  std::size_t nextUpper = text.find(upper);
  while (true) {
    const std::size_t at = std::min(nextLower, nextUpper);
    if (at == std::string_view::npos || text.size() - at < part.size()) return false;
    if (tally::detail::equalIgnoringCase(text.substr(at, part.size()), part)) return true;
    if (nextLower == at) nextLower = text.find(lower, at + 1);
    if (nextUpper == at) nextUpper = text.find(upper, at + 1);
  }
}

std::string asUtf8(std::string_view text) {
  constexpr std::string_view replacement = "\uFFFD";
  if (isUtf8(text)) return std::string{text};
  std::string valid;
  while (!text.empty()) {
    const std::size_t length = utf8SequenceLength(text);
    valid += length == 0 ? replacement : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return valid;
}

std::string readable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8SequenceLength(text);
    if (result.size() + length > longestReadable) return result + "...";
    result += length == 0 ? std::string_view{"?"} : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

}  // namespace tally::fake::detail
