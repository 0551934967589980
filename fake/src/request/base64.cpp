#include "request/base64.h"

#include <cstdint>

namespace tally::fake::detail {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string_view withoutPadding(std::string_view text) {
  for (int i = 0; i < 2 && text.ends_with('='); ++i)
    text.remove_suffix(1);
  return text;
}

}  // namespace

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

}  // namespace tally::fake::detail
