#include "text/call_mark.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

#include "text/ascii.h"

namespace tally::detail {

namespace {

constexpr std::size_t callDigits = 16;
constexpr std::string_view digitsOfCalls = "0123456789abcdef";
constexpr std::string_view attemptName = "attempt=";

bool isHex(char c) {
  return digitsOfCalls.find(asciiLower(c)) != std::string_view::npos;
}

/// The parameter up to the next semicolon, without which `rest` remains.
std::string_view nextPart(std::string_view& rest) {
  const std::string_view part = rest.substr(0, rest.find(';'));
  rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  return trimmed(part);
}

/// Nothing unless it is a number from 1.
std::optional<int> attemptIn(std::string_view digits) {
  int number = 0;
  const char* const begin = digits.data();
  const char* const end = begin + digits.size();
  const auto [rest, problem] = std::from_chars(begin, end, number);
  return problem == std::errc{} && rest == end && number > 0 ? std::optional{number} : std::nullopt;
}

}  // namespace

std::string callMark(std::uint64_t call, int attempt) {
  std::string text(callDigits, '0');
  for (std::size_t digit = callDigits; digit-- > 0; call >>= 4U)
    text[digit] = digitsOfCalls[call & 0xFU];
  return text.append("; ").append(attemptName).append(std::to_string(attempt));
}

std::optional<CallMark> readCallMark(std::string_view value) {
  const std::string_view call = nextPart(value);
  if (call.size() != callDigits || !std::ranges::all_of(call, isHex)) return std::nullopt;
  while (!value.empty()) {
    const std::string_view part = nextPart(value);
    if (!equalIgnoringCase(part.substr(0, attemptName.size()), attemptName)) continue;
    const auto attempt = attemptIn(part.substr(attemptName.size()));
    return attempt ? std::optional{CallMark{call, *attempt}} : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace tally::detail
