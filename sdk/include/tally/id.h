#pragma once

#include <tally/detail/cpp20.h>

#include <compare>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace [[gnu::visibility("default")]] tally {

namespace detail {

/// The common base of Id and OpenEnum, so that one codec serves all of their types.
struct Text {
  std::string characters{};
};

/// A string that is neither an Id nor an OpenEnum.
template <class T>
concept PlainText = std::convertible_to<const T&, std::string_view> && !std::is_null_pointer_v<T> &&
                    !std::is_base_of_v<Text, T>;

/// Prints any `text` on one line: control characters and similar characters are escaped.
[[gnu::visibility("default")]] std::ostream& printText(std::ostream& out, std::string_view text);

}  // namespace detail

/// The identifier of a `Resource`. Converts from and to text, but not from the identifier of another
/// resource: passing an Id<Payout> to a call that takes an Id<PaymentRecord> does not compile.
///
/// Holds any text unchanged. Calls check the text before sending: it must consist of the prefix of the
/// resource (`pr_` for a payment record) and at least one more character.
template <class Resource>
class Id : private detail::Text {
 public:
  Id() = default;
  Id(const char* text) : Text{text == nullptr ? std::string{} : std::string{text}} {}
  Id(std::string_view text) : Text{std::string{text}} {}
  Id(std::string text) : Text{std::move(text)} {}
  Id(std::nullptr_t) = delete;

  /// The text. This reference and the results of the conversions refer to this Id.
  [[nodiscard]] const std::string& str() const noexcept { return characters; }
  operator const std::string&() const noexcept { return characters; }
  operator std::string_view() const noexcept { return characters; }
  [[nodiscard]] bool empty() const noexcept { return characters.empty(); }

  friend bool operator==(const Id& a, const Id& b) noexcept { return a.characters == b.characters; }
  friend std::strong_ordering operator<=>(const Id& a, const Id& b) noexcept {
    return a.characters <=> b.characters;
  }
  // Comparing with a string does not copy it, and is not ambiguous with the standard library's operators.
  template <detail::PlainText Other>
  friend bool operator==(const Id& a, const Other& b) noexcept {
    return std::string_view{a.characters} == std::string_view{b};
  }
  template <detail::PlainText Other>
  friend std::strong_ordering operator<=>(const Id& a, const Other& b) noexcept {
    return std::string_view{a.characters} <=> std::string_view{b};
  }
  friend std::ostream& operator<<(std::ostream& out, const Id& id) {
    return detail::printText(out, id.characters);
  }
};

}  // namespace tally

template <class Resource>
struct std::hash<tally::Id<Resource>> {
  std::size_t operator()(const tally::Id<Resource>& id) const noexcept {
    return std::hash<std::string>{}(id.str());
  }
};
