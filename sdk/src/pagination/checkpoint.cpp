#include "pagination/checkpoint.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

#include "text/fingerprint.h"

namespace tally::detail {

namespace {

// version~operation~parameters~place~cursor~behind~checksum
constexpr std::string_view version = "tally1";
constexpr std::string_view within = "at";
constexpr std::string_view atEnd = "end";
constexpr char partSeparator = '~';
constexpr char escape = '.';
constexpr std::size_t parts = 7;

using Parts = std::array<std::string_view, parts>;

template <class Integer>
void appendHex(std::string& out, Integer number) {
  constexpr std::size_t digits = 2 * sizeof(Integer);
  for (std::size_t shift = 4 * digits; shift != 0; shift -= 4)
    out += "0123456789abcdef"[(number >> (shift - 4)) & 0xFU];
}

std::string hex(std::uint32_t number) {
  std::string text;
  appendHex(text, number);
  return text;
}

bool isPlain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

/// Not percent-encoding, which would be decoded when the text is part of a URL.
void appendEscaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (isPlain(c)) {
      out += c;
    } else {
      out += escape;
      appendHex(out, static_cast<unsigned char>(c));
    }
  }
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != escape) {
      result += text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    unsigned char byte = 0;
    const auto [last, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (failed != std::errc{} || last != digits.data() + 2) return std::nullopt;
    result += static_cast<char>(byte);
    i += digits.size();
  }
  return result;
}

std::optional<Parts> split(std::string_view text) {
  Parts result;
  for (std::size_t i = 0; i + 1 < parts; ++i) {
    const std::size_t at = text.find(partSeparator);
    if (at == std::string_view::npos) return std::nullopt;
    result[i] = text.substr(0, at);
    text.remove_prefix(at + 1);
  }
  result.back() = text;
  return result;
}

/// Whether the text ends with the checksum of everything before it.
bool isWhole(std::string_view text) {
  const std::size_t at = text.rfind(partSeparator);
  return at != std::string_view::npos && text.substr(at + 1) == hex(fingerprint(text.substr(0, at)));
}

std::optional<Standing> standingIn(const Parts& said) {
  auto cursor = unescaped(said[4]);
  auto behind = unescaped(said[5]);
  if (!cursor || !behind || (said[3] != within && said[3] != atEnd)) return std::nullopt;
  return Standing{said[3] == atEnd, *std::move(cursor), *std::move(behind)};
}

}  // namespace

std::string writeCheckpoint(const WalkName& walk, const Standing& standing) {
  std::string text{version};
  (text += partSeparator) += walk.operation;
  (text += partSeparator) += hex(walk.params);
  (text += partSeparator) += standing.ended ? atEnd : within;
  appendEscaped(text += partSeparator, standing.cursor);
  appendEscaped(text += partSeparator, standing.behind);
  const std::string checksum = hex(fingerprint(text));
  return (text += partSeparator) += checksum;
}

std::variant<Standing, std::string> readCheckpoint(const WalkName& walk, std::string_view text) {
  constexpr const char* broken = "is truncated or modified";
  if (text.substr(0, text.find(partSeparator)) != version) return "was not written by this version of tally";
  if (!isWhole(text)) return broken;
  const auto said = split(text);
  if (!said) return broken;
  if ((*said)[1] != walk.operation)
    return "belongs to " + std::string{(*said)[1]} + ", not to " + std::string{walk.operation};
  if ((*said)[2] != hex(walk.params)) return "was taken with other parameters or for another account";
  auto standing = standingIn(*said);
  if (!standing) return broken;
  return *std::move(standing);
}

}  // namespace tally::detail
