#pragma once

#include <tally/detail/cpp20.h>

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tally/id.h>

namespace [[gnu::visibility("default")]] tally {

/// The values of an enumeration as the service writes them, in the order of the enumerators, which count from
/// 0. Specialized next to each generated enumeration, with the member
/// `static constexpr std::string_view values[]`.
template <class E>
struct EnumTexts;

namespace detail {

[[gnu::visibility("default")]] std::ostream& printEnumerator(std::ostream& out,
                                                             std::span<const std::string_view> texts,
                                                             std::size_t index);

}  // namespace detail

/// Prints an enumerator as the service writes it.
template <class E>
  requires std::is_enum_v<E> && requires { EnumTexts<E>::values; }
std::ostream& operator<<(std::ostream& out, E value) {
  return detail::printEnumerator(out, EnumTexts<E>::values, static_cast<std::size_t>(value));
}

/// A value from a set that the service may extend. A value that is known to this version of the client
/// compares equal to its enumerator; an unknown value keeps the string that was received and is never an
/// error.
template <class E>
class OpenEnum : private detail::Text {
 public:
  OpenEnum() = default;
  OpenEnum(E value) : Text{std::string{EnumTexts<E>::values[static_cast<std::size_t>(value)]}} {}
  explicit OpenEnum(std::string value) : Text{std::move(value)} {}

  /// The value as the service writes it. This reference and the results of the conversions refer to this
  /// OpenEnum.
  [[nodiscard]] const std::string& str() const noexcept { return characters; }
  operator const std::string&() const noexcept { return characters; }
  operator std::string_view() const noexcept { return characters; }

  /// The enumerator; empty if the value is unknown to this version.
  [[nodiscard]] std::optional<E> known() const noexcept {
    std::size_t index = 0;
    for (const std::string_view value : EnumTexts<E>::values) {
      if (value == characters) return static_cast<E>(index);
      ++index;
    }
    return std::nullopt;
  }

  friend bool operator==(const OpenEnum& a, const OpenEnum& b) noexcept {
    return a.characters == b.characters;
  }
  friend bool operator==(const OpenEnum& a, E b) noexcept {
    return a.characters == EnumTexts<E>::values[static_cast<std::size_t>(b)];
  }
  friend std::ostream& operator<<(std::ostream& out, const OpenEnum& value) {
    return detail::printText(out, value.characters);
  }
};

}  // namespace tally
