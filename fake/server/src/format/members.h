#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/clock.h>

#include <boost/json/object.hpp>

#include "format/json_input.h"
#include "format/time_text.h"

namespace tally::fake::detail {

// A type that is read from JSON and written to it has a function template `members(m, value)`, which lists
// its members once, for both directions: `m` is a MemberReader or a MemberWriter. So whatever is written is
// also read. A form says how a member looks, if that does not follow from its type: `read` returns whether
// the member is there, and `write` is the reverse.

template <class Value, class Read>
bool assign(Value& value, std::optional<Read> read) {
  if (read) value = static_cast<Value>(*std::move(read));
  return read.has_value();
}

/// How a value looks if nothing else is said.
struct Plain {
  static bool read(JsonInput& input, std::string_view name, std::string& value) {
    return assign(value, input.text(name));
  }
  static bool read(JsonInput& input, std::string_view name, bool& value) {
    return assign(value, input.boolean(name));
  }
  static bool read(JsonInput& input, std::string_view name, std::int64_t& value) {
    return assign(value, input.integer(name));
  }
  static bool read(JsonInput& input, std::string_view name, double& value) {
    return assign(value, input.number(name));
  }
  static bool read(JsonInput& input, std::string_view name, std::chrono::seconds& value) {
    return assign(value, input.integer(name));
  }
  static bool read(JsonInput& input, std::string_view name, Instant& value) {
    return assign(value, input.time(name));
  }
  template <class Value>
  static boost::json::value write(const Value& value) {
    return boost::json::value(value);
  }
  static boost::json::value write(std::chrono::seconds value) { return value.count(); }
  static boost::json::value write(Instant value) { return boost::json::value(toText(value)); }
};

/// An integer from `least` on.
template <std::int64_t least>
struct NumberFrom {
  template <class Number>
  static bool read(JsonInput& input, std::string_view name, Number& value) {
    return assign(value, input.integer(name, least, most<Number>()));
  }
  /// JSON input has no larger integers.
  template <class Number>
  static boost::json::value write(Number value) {
    return std::in_range<std::int64_t>(value) ? static_cast<std::int64_t>(value) : most<Number>();
  }

 private:
  template <class Number>
  static constexpr std::int64_t most() {
    constexpr auto greatest = std::numeric_limits<Number>::max();
    return std::in_range<std::int64_t>(greatest) ? static_cast<std::int64_t>(greatest)
                                                 : std::numeric_limits<std::int64_t>::max();
  }
};

/// Whole milliseconds.
struct Milliseconds {
  static bool read(JsonInput& input, std::string_view name, std::chrono::nanoseconds& value) {
    return assign(value, input.milliseconds(name));
  }
  static boost::json::value write(std::chrono::nanoseconds value) {
    return std::chrono::floor<std::chrono::milliseconds>(value).count();
  }
};

/// All 64 bits of a number, as text.
struct Bits {
  static bool read(JsonInput& input, std::string_view name, std::uint64_t& value) {
    return assign(value, input.bits(name));
  }
  static boost::json::value write(std::uint64_t value) { return boost::json::value(std::to_string(value)); }
};

/// An object with the members of the value.
struct Nested {
  template <class Value>
  static bool read(JsonInput& input, std::string_view name, Value& value);
  template <class Value>
  static boost::json::value write(const Value& value);
};

/// Reads members from an object. Throws BadInput.
class MemberReader {
 public:
  template <class Value>
  using Of = Value;

  explicit MemberReader(JsonInput& input) : input_(input) {}

  /// A member that must be there.
  template <class Value, class Form = Plain>
  void required(std::string_view name, Value& value, Form form = {}) {
    if (!read(name, value, form)) input_.fail(name, "missing");
  }

  /// A member that need not be there, but is always written. Without it, the value stays.
  template <class Value, class Form = Plain>
  void usual(std::string_view name, Value& value, Form form = {}) {
    (void)read(name, value, form);
  }

  /// A member that is null if it says no more than that it is missing.
  template <class Value, class Form = Plain>
  void nullable(std::string_view name, Value& value, Form form = {}) {
    (void)read(name, value, form);
  }

  /// A member that is there only if its value is another than `otherwise`.
  template <class Value, class Form = Plain>
  void optional(std::string_view name, Value& value, Form form = {}, const Value& otherwise = {}) {
    if (!read(name, value, form)) value = otherwise;
  }

 private:
  template <class Value, class Form>
  bool read(std::string_view name, Value& value, Form /*form*/) {
    return Form::read(input_, name, value);
  }
  template <class Value, class Form>
  bool read(std::string_view name, std::optional<Value>& value, Form form) {
    Value given{};
    if (!read(name, given, form)) return false;
    value = std::move(given);
    return true;
  }

  JsonInput& input_;
};

/// Adds members to an object, in the order in which they are listed.
class MemberWriter {
 public:
  template <class Value>
  using Of = const Value;

  explicit MemberWriter(boost::json::object& object) : object_(object) {}

  template <class Value, class Form = Plain>
  void required(std::string_view name, const Value& value, Form form = {}) {
    object_[name] = write(value, form);
  }

  template <class Value, class Form = Plain>
  void usual(std::string_view name, const Value& value, Form form = {}) {
    object_[name] = write(value, form);
  }

  template <class Value, class Form = Plain>
  void nullable(std::string_view name, const Value& value, Form form = {}) {
    object_[name] = value == Value{} ? boost::json::value(nullptr) : write(value, form);
  }

  template <class Value, class Form = Plain>
  void optional(std::string_view name, const Value& value, Form form = {}, const Value& otherwise = {}) {
    if (value != otherwise) object_[name] = write(value, form);
  }

 private:
  template <class Value, class Form>
  static boost::json::value write(const Value& value, Form /*form*/) {
    return Form::write(value);
  }
  template <class Value, class Form>
  static boost::json::value write(const std::optional<Value>& value, Form form) {
    return write(*value, form);
  }

  boost::json::object& object_;
};

/// What members() lists, and nothing else.
template <class Value>
[[nodiscard]] Value readMembers(JsonInput& input) {
  Value value{};
  MemberReader reader{input};
  members(reader, value);
  input.finish();
  return value;
}

template <class Value>
[[nodiscard]] boost::json::object writeMembers(const Value& value) {
  boost::json::object object;
  MemberWriter writer{object};
  members(writer, value);
  return object;
}

template <class Value>
bool Nested::read(JsonInput& input, std::string_view name, Value& value) {
  std::optional<JsonInput> given = input.object(name);
  if (given) at(*given, [&] { value = readMembers<Value>(*given); });
  return given.has_value();
}

template <class Value>
boost::json::value Nested::write(const Value& value) {
  return writeMembers(value);
}

}  // namespace tally::fake::detail
