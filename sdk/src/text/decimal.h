#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace tally::detail {

inline void appendDecimal(std::string& out, std::int64_t number) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

/// The number that the whole text is; null if it is none, or out of range.
inline std::optional<std::int64_t> decimalIn(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [read, failed] = std::from_chars(text.data(), end, number);
  return failed == std::errc{} && read == end ? std::optional{number} : std::nullopt;
}

}  // namespace tally::detail
