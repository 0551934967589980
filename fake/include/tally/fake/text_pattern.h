#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace tally::fake {

/// A pattern for a value of a request. A string converts to a pattern that matches exactly that string.
class TextPattern {
 public:
  enum class Rule : std::uint8_t { equal, containing, any, absent };
  friend std::ostream& operator<<(std::ostream& out, Rule value);

  // NOLINTBEGIN(google-explicit-constructor): so that a pattern can be written as a string
  TextPattern(std::string text) : text_(std::move(text)) {}
  TextPattern(std::string_view text) : text_(text) {}
  TextPattern(const char* text) : text_(text) {}
  // NOLINTEND(google-explicit-constructor)

  /// A value that contains `part`.
  [[nodiscard]] static TextPattern containing(std::string part) {
    return {Rule::containing, std::move(part)};
  }
  /// Any value, even an empty one.
  [[nodiscard]] static TextPattern any() { return {Rule::any, {}}; }
  /// No value at all.
  [[nodiscard]] static TextPattern absent() { return {Rule::absent, {}}; }

  [[nodiscard]] Rule rule() const noexcept { return rule_; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// Whether a present value matches; Rule::absent matches none.
  [[nodiscard]] bool matches(std::string_view value) const noexcept;

  bool operator==(const TextPattern&) const = default;

 private:
  TextPattern(Rule rule, std::string text) : rule_(rule), text_(std::move(text)) {}

  Rule rule_ = Rule::equal;
  std::string text_;
};

/// A pattern for the value of a parameter, a metadata key or a header. If a request has several values of
/// that name, one of them must match; for TextPattern::absent(), the request must have none.
struct NamedPattern {
  std::string name{};
  TextPattern value = TextPattern::any();

  bool operator==(const NamedPattern&) const = default;
};

/// Prints `"500"`, `containing "50"`, `any value` or `no value`.
std::ostream& operator<<(std::ostream& out, const TextPattern& pattern);

/// Prints `amount = "500"`. Keys in `Authorization` are masked.
std::ostream& operator<<(std::ostream& out, const NamedPattern& pattern);

}  // namespace tally::fake
