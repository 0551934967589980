#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tally::detail {

/// A text or NULL.
using NullableText = std::optional<std::string>;

/// A number as PostgreSQL writes it.
[[nodiscard]] inline std::uint64_t numberOf(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Appends to an array as text, which begins with `{`. Elements are in quotes, so that only quotes and
/// backslashes are special. None is NULL, which is a text if the role has turned `array_nulls` off.
inline void appendElement(std::string& array, std::string_view element) {
  if (array.size() > 1) array += ',';
  array += '"';
  for (const char c : element) {
    if (c == '"' || c == '\\') array += '\\';
    array += c;
  }
  array += '"';
}

/// An array as text: `element` returns a text or a number for each of `items`.
template <class Items, class Function>
[[nodiscard]] std::string arrayOf(const Items& items, Function element) {
  std::string array = "{";
  for (const auto& item : items) {
    if constexpr (std::integral<decltype(element(item))>) {
      if (array.size() > 1) array += ',';
      array += std::to_string(element(item));
    } else {
      appendElement(array, element(item));
    }
  }
  return array += '}';
}

/// The elements of a list with commas.
[[nodiscard]] inline std::vector<std::string_view> elementsOf(std::string_view list) {
  std::vector<std::string_view> elements;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    elements.push_back(list.substr(0, comma));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return elements;
}

/// The elements of an array whose elements need no quotes.
[[nodiscard]] inline std::vector<std::string_view> plainElements(std::string_view array) {
  return array.size() < 2 ? std::vector<std::string_view>{} : elementsOf(array.substr(1, array.size() - 2));
}

[[nodiscard]] inline std::vector<std::uint64_t> numbersOf(std::string_view array) {
  std::vector<std::uint64_t> numbers;
  for (const std::string_view element : plainElements(array))
    numbers.push_back(numberOf(element));
  return numbers;
}

}  // namespace tally::detail
