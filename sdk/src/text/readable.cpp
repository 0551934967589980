#include "text/readable.h"

#include <algorithm>
#include <cstddef>

#include "text/utf8_sequence.h"

namespace tally::detail {

namespace {

constexpr std::string_view hexDigits = "0123456789abcdef";

struct Range {
  char32_t first = 0;
  char32_t last = 0;
};

constexpr Range unprintable[] = {
    {0, 0x1F},          // control characters
    {0x7F, 0x9F},       // control characters
    {0x61C, 0x61C},     // text direction
    {0x200E, 0x200F},   // text direction
    {0x2028, 0x202E},   // line and paragraph separators; text direction
    {0x2066, 0x2069},   // text direction
    {0xFEFF, 0xFEFF},   // byte order mark
    {0xFFF9, 0xFFFB},   // annotations
    {0xE0000, 0xE007F}  // tags
};

bool isPrintable(char32_t c) {
  return std::ranges::none_of(unprintable,
                              [c](const Range& range) { return c >= range.first && c <= range.last; });
}

char32_t codePoint(std::string_view sequence) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1) return byte(0);
  char32_t c = byte(0) & (0xFFU >> (sequence.size() + 1));
  for (std::size_t i = 1; i < sequence.size(); ++i)
    c = (c << 6U) | (byte(i) & 0x3FU);
  return c;
}

void appendByteEscape(std::string& out, unsigned char byte) {
  out += "\\x";
  out += hexDigits[byte >> 4U];
  out += hexDigits[byte & 0xFU];
}

void appendEscape(std::string& out, char32_t c) {
  if (c == '\n' || c == '\r' || c == '\t') {
    out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
  } else if (c < 0x80) {
    appendByteEscape(out, static_cast<unsigned char>(c));
  } else {
    std::string digits;
    for (; c != 0; c >>= 4U)
      digits.insert(digits.begin(), hexDigits[c & 0xFU]);
    out += "\\u{" + digits + '}';
  }
}

/// Appends the first character of `text` and returns its length in bytes.
std::size_t appendCharacter(std::string& out, std::string_view text, std::string_view alsoEscaped) {
  const std::size_t length = utf8SequenceLength(text);
  if (length == 0) {
    appendByteEscape(out, static_cast<unsigned char>(text.front()));
    return 1;
  }
  const std::string_view sequence = text.substr(0, length);
  if (const char32_t c = codePoint(sequence); !isPrintable(c)) {
    appendEscape(out, c);
  } else {
    if (alsoEscaped.find(text.front()) != std::string_view::npos) out += '\\';
    out += sequence;
  }
  return length;
}

void append(std::string& out, std::string_view text, std::string_view alsoEscaped, std::size_t longest) {
  for (std::size_t at = 0; at < text.size();) {
    if (at >= longest) {
      out += "... (" + std::to_string(text.size()) + " bytes)";
      return;
    }
    at += appendCharacter(out, text.substr(at), alsoEscaped);
  }
}

bool isWord(std::string_view text) {
  return !text.empty() && text.size() <= longestReadable && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
}

}  // namespace

void appendReadable(std::string& out, std::string_view text, std::size_t longest) {
  append(out, text, {}, longest);
}

void appendQuoted(std::string& out, std::string_view text) {
  out += '"';
  append(out, text, R"("\)", longestReadable);
  out += '"';
}

void appendWord(std::string& out, std::string_view text) {
  if (isWord(text)) {
    out += text;
  } else {
    appendQuoted(out, text);
  }
}

}  // namespace tally::detail
