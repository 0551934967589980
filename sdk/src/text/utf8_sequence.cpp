#include "text/utf8_sequence.h"

#include <algorithm>

namespace tally::detail {

namespace {

struct Lead {
  std::size_t length = 0;  // of the whole sequence; 0 for an invalid lead byte
  unsigned lowestSecond = 0x80;
  unsigned highestSecond = 0xBF;
};

/// The bounds of the second byte exclude overlong forms, surrogates, and values beyond Unicode.
Lead lead(unsigned first) {
  if (first < 0x80) return {.length = 1};
  if (first < 0xC2 || first > 0xF4) return {};
  if (first < 0xE0) return {.length = 2};
  if (first == 0xE0) return {.length = 3, .lowestSecond = 0xA0};
  if (first == 0xED) return {.length = 3, .highestSecond = 0x9F};
  if (first < 0xF0) return {.length = 3};
  if (first == 0xF0) return {.length = 4, .lowestSecond = 0x90};
  if (first == 0xF4) return {.length = 4, .highestSecond = 0x8F};
  return {.length = 4};
}

unsigned byteAt(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

}  // namespace

std::size_t utf8SequenceLength(std::string_view text) {
  const Lead begin = lead(byteAt(text, 0));
  if (begin.length < 2) return begin.length;
  if (text.size() < begin.length) return 0;
  if (byteAt(text, 1) < begin.lowestSecond || byteAt(text, 1) > begin.highestSecond) return 0;
  for (std::size_t i = 2; i < begin.length; ++i)
    if (!continuesUtf8(text[i])) return 0;
  return begin.length;
}

bool isUtf8(std::string_view text) {
  const auto isAscii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  while (true) {
    // Nearly all strings are ASCII.
    text = {std::ranges::find_if_not(text, isAscii), text.end()};
    if (text.empty()) return true;
    const std::size_t length = utf8SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
}

}  // namespace tally::detail
