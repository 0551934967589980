#include "text/url.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tally::detail {

namespace {

constexpr auto unreserved = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"})
    table[static_cast<unsigned char>(c)] = true;
  return table;
}();

bool isUnreserved(char c) {
  return unreserved[static_cast<unsigned char>(c)];
}

std::optional<unsigned> hexDigit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10U;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10U;
  return std::nullopt;
}

std::optional<char> hexByte(std::string_view digits) {
  if (digits.size() < 2) return std::nullopt;
  const auto high = hexDigit(digits[0]);
  const auto low = hexDigit(digits[1]);
  if (!high || !low) return std::nullopt;
  return static_cast<char>((*high << 4U) | *low);
}

std::optional<std::string> decode(std::string_view text, bool plusIsSpace) {
  const bool plain =
      text.find('%') == std::string_view::npos && (!plusIsSpace || text.find('+') == std::string_view::npos);
  if (plain) return std::string{text};
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      const auto byte = hexByte(text.substr(i + 1));
      if (!byte) return std::nullopt;
      out += *byte;
      i += 2;
    } else {
      out += plusIsSpace && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

}  // namespace

std::size_t firstDelimiter(std::string_view text) {
  for (const char delimiter : {'/', '?', '#'})
    text = text.substr(0, text.find(delimiter));
  return text.size();
}

std::size_t endOfAuthority(std::string_view url) {
  constexpr std::string_view slashes = "://";
  const std::size_t begin = std::min(url.find(slashes) + slashes.size(), url.size());
  return begin + firstDelimiter(url.substr(begin));
}

std::string withoutCredentials(std::string_view url) {
  constexpr std::string_view slashes = "://";
  const std::size_t begin = std::min(url.find(slashes) + slashes.size(), url.size());
  const std::string_view authority = url.substr(begin, endOfAuthority(url) - begin);
  const std::size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return std::string{url};
  return std::string{url.substr(0, begin)}.append(url.substr(begin + at + 1));
}

void percentEncode(std::string& out, std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  while (!text.empty()) {
    const auto reserved = std::ranges::find_if_not(text, isUnreserved);
    const auto plain = static_cast<std::size_t>(reserved - text.begin());
    out.append(text, 0, plain);
    if (plain == text.size()) return;
    const auto c = static_cast<unsigned char>(*reserved);
    out += '%';
    out += hex[c >> 4U];
    out += hex[c & 0xFU];
    text.remove_prefix(plain + 1);
  }
}

std::optional<std::string> percentDecode(std::string_view text) {
  return decode(text, false);
}

std::optional<std::string> formDecode(std::string_view text) {
  return decode(text, true);
}

}  // namespace tally::detail
