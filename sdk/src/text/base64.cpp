#include "text/base64.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tally::detail {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string_view withoutPadding(std::string_view text) {
  for (int i = 0; i < 2 && text.ends_with('='); ++i)
    text.remove_suffix(1);
  return text;
}

}  // namespace

std::string encodeBase64(std::string_view bytes) {
  std::string out;
  for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(bytes.size(), 3))) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8U | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      out += i <= bytes.size() ? alphabet[bits >> (18U - 6U * i) & 0x3FU] : '=';
  }
  return out;
}

std::optional<std::string> decodeBase64(std::string_view text) {
  text = withoutPadding(text);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string out;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::size_t digit = alphabet.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6U | static_cast<std::uint32_t>(digit)) & 0xFFFFU;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xFFU);
  }
  return out;
}

}  // namespace tally::detail
