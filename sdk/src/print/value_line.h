#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <tally/clock.h>

#include "text/readable.h"
#include "time/seconds_text.h"

namespace tally::detail {

/// How many elements of a list are printed.
inline constexpr std::size_t longestList = 32;

/// Prints a value as `Type{name: value, other: value}`, as records print; within another value, without the
/// type. Empty texts, lists and optionals are left out.
class ValueLine {
 public:
  explicit ValueLine(std::string_view type) : type_(type) {}

  ValueLine& add(std::string_view name, bool value);
  ValueLine& add(std::string_view name, double value);
  ValueLine& add(std::string_view name, Instant value) { return append(name, toString(value)); }
  ValueLine& add(std::string_view name, std::chrono::sys_seconds value) {
    return append(name, toString(value));
  }
  ValueLine& add(std::string_view name, std::string_view value);
  ValueLine& add(std::string_view name, const std::string& value) {
    return add(name, std::string_view{value});
  }
  ValueLine& add(std::string_view name, const char* value) { return add(name, std::string_view{value}); }

  template <class Rep, class Period>
  ValueLine& add(std::string_view name, std::chrono::duration<Rep, Period> value) {
    std::string text;
    appendSeconds(text, value);
    return append(name, text += 's');
  }

  /// A whole number, anything that has `<<`, a list of such values, or an optional one.
  template <class T>
  ValueLine& add(std::string_view name, const T& value) {
    if constexpr (std::integral<T>) {
      return append(name, std::to_string(value));
    } else if constexpr (requires { value.has_value(); }) {
      return value ? add(name, *value) : *this;
    } else if constexpr (requires { value.begin(); }) {
      std::vector<std::string> elements;
      elements.reserve(value.size());
      for (const auto& element : value)
        elements.push_back(printed(element));
      return append(name, elements);
    } else {
      return append(name, printed(value));
    }
  }

  /// `set`, for what must not appear, such as a key, and for what has no text, such as a function.
  ValueLine& addSet(std::string_view name, bool isSet);
  /// The size of a body.
  ValueLine& addSize(std::string_view name, std::string_view body);
  /// An address, without its query and without what precedes its last `@`, which may be a password.
  ValueLine& addAddress(std::string_view name, std::string_view address);

  friend std::ostream& operator<<(std::ostream& out, const ValueLine& line);

 private:
  /// Makes the values that are written to `out` print without their types.
  static void nest(std::ostream& out);

  template <class T>
  [[nodiscard]] static std::string printed(const T& value) {
    std::ostringstream out;
    nest(out);
    out << value;
    return std::move(out).str();
  }
  [[nodiscard]] static std::string printed(std::string_view text) {
    std::string word;
    appendWord(word, text);
    return word;
  }
  [[nodiscard]] static std::string printed(const std::string& text) {
    return printed(std::string_view{text});
  }

  ValueLine& append(std::string_view name, std::string_view text);
  ValueLine& append(std::string_view name, const std::vector<std::string>& elements);

  std::string type_;
  std::string fields_{};
};

}  // namespace tally::detail
