#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace tally::fake::detail {

/// The number that all of `text` makes, in decimal or in `base`. Nothing if it makes none, or one that does
/// not fit.
template <class Number, std::same_as<int>... Base>
[[nodiscard]] std::optional<Number> parsedNumber(std::string_view text, Base... base) {
  Number number{};
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [read, failed] = std::from_chars(begin, end, number, base...);
  return failed == std::errc{} && read == end ? std::optional{number} : std::nullopt;
}

}  // namespace tally::fake::detail
