#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <version>

#ifndef __cpp_lib_to_chars
#include <locale>
#include <sstream>
#endif

namespace tally::detail {

inline void appendDecimal(std::string& out, std::int64_t number) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

/// The number that the whole text is; null if it is none, or out of range.
inline std::optional<std::int64_t> decimalIn(std::string_view text) {
  std::int64_t number = 0;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [read, failed] = std::from_chars(begin, end, number);
  return failed == std::errc{} && read == end ? std::optional{number} : std::nullopt;
}

/// The number that the whole text is, with or without a fraction and an exponent, in any locale; null if it
/// is none, or out of range.
inline std::optional<double> realNumberIn(std::string_view text) {
  // What the functions below accept, too: a plus sign, "inf", "nan" and hexadecimal digits.
  if (text.starts_with('+') || text.find_first_not_of("0123456789+-.eE") != std::string_view::npos)
    return std::nullopt;
  double number = 0;
#ifdef __cpp_lib_to_chars
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [read, failed] = std::from_chars(begin, end, number);
  return failed == std::errc{} && read == end ? std::optional{number} : std::nullopt;
#else
  // The std::from_chars() of libc++ 19 reads only integers.
  std::istringstream input{std::string{text}};
  input.imbue(std::locale::classic());
  input >> std::noskipws >> number;
  return input && input.peek() == std::istringstream::traits_type::eof() ? std::optional{number}
                                                                         : std::nullopt;
#endif
}

}  // namespace tally::detail
