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

bool containsIgnoringCase(std::string_view text, std::string_view part) {
  using tally::detail::asciiLower;
  return part.empty() || !std::ranges::search(text, part, {}, asciiLower, asciiLower).empty();
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
