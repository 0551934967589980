#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tally/clock.h>

#include <boost/json/object.hpp>

#include "format/json_input.h"
#include "time/rfc3339.h"

namespace tally::fake::detail {

// Forms: how a value looks in JSON. `read` returns whether the member is there, and `write` is the reverse.

template <class Value, class Read>
bool assign(Value& value, std::optional<Read> read) {
  const bool isThere = read.has_value();
  if (read) value = static_cast<Value>(*std::move(read));
  return isThere;
}

/// As the type suggests.
struct Plain {
  template <class Value>
  static bool read(JsonInput& input, std::string_view name, Value& value) {
    if constexpr (std::same_as<Value, std::string>) return assign(value, input.text(name));
    if constexpr (std::same_as<Value, bool>) return assign(value, input.boolean(name));
    if constexpr (std::same_as<Value, double>) return assign(value, input.number(name));
    if constexpr (std::same_as<Value, Instant>) return assign(value, input.time(name));
    if constexpr (std::constructible_from<Value, std::int64_t>) return assign(value, input.integer(name));
  }
  template <class Value>
  static boost::json::value write(const Value& value) {
    return boost::json::value(value);
  }
  static boost::json::value write(std::chrono::seconds value) { return value.count(); }
  static boost::json::value write(Instant value) { return boost::json::value(tally::detail::toText(value)); }
};

/// An integer from `least` on. JSON input has none beyond 64 bits with a sign.
template <std::int64_t least>
struct NumberFrom {
  template <class Number>
  static constexpr std::int64_t most = std::in_range<std::int64_t>(std::numeric_limits<Number>::max())
                                           ? static_cast<std::int64_t>(std::numeric_limits<Number>::max())
                                           : std::numeric_limits<std::int64_t>::max();
  template <class Number>
  static bool read(JsonInput& input, std::string_view name, Number& value) {
    return assign(value, input.integer(name, least, most<Number>));
  }
  template <class Number>
  static boost::json::value write(Number value) {
    return std::in_range<std::int64_t>(value) ? static_cast<std::int64_t>(value) : most<Number>;
  }
};

/// What a function of JsonInput reads, as `toJson` writes it.
template <auto get, auto toJson>
struct ReadBy {
  template <class Value>
  static bool read(JsonInput& input, std::string_view name, Value& value) {
    return assign(value, std::optional{(input.*get)(name)});
  }
  template <class Value>
  static boost::json::value write(const Value& value) {
    return toJson(value);
  }
};

inline std::int64_t inMilliseconds(std::chrono::nanoseconds duration) {
  return std::chrono::floor<std::chrono::milliseconds>(duration).count();
}
using Milliseconds = ReadBy<&JsonInput::milliseconds, inMilliseconds>;

/// All 64 bits of a number, as text.
inline boost::json::value bitsToJson(std::uint64_t value) {
  return boost::json::value(std::to_string(value));
}
using Bits = ReadBy<&JsonInput::bits, bitsToJson>;

/// Reads the members of a value from a JSON object, or writes them to one. For each type, a function
/// `members(m, value)` lists them once, for both directions: so whatever is written is also read. Throws
/// BadInput.
class Members {
 public:
  /// Writes.
  Members() = default;
  /// Reads.
  explicit Members(JsonInput& input) : input_(&input) {}

  [[nodiscard]] boost::json::object written() && { return std::move(object_); }

  /// A member that must be there.
  template <class Value, class Form = Plain>
  void required(std::string_view name, Value& value, Form form = {}) {
    if (!process(name, value, form)) input_->fail(name, "missing");
  }

  /// A member without which the value stays. It is always written.
  template <class Value, class Form = Plain>
  void usual(std::string_view name, Value& value, Form form = {}) {
    (void)process(name, value, form);
  }

  /// A member that may be null, as it is written for the value `otherwise`.
  template <class Value, class Form = Plain>
  void nullable(std::string_view name, Value& value, Form form = {}, const Value& otherwise = {}) {
    optional(name, value, form, otherwise);
    if (input_ == nullptr) object_.emplace(name, nullptr);  // unless it is there
  }

  /// A member that is missing for the value `otherwise`.
  template <class Value, class Form = Plain>
  void optional(std::string_view name, Value& value, Form form = {}, const Value& otherwise = {}) {
    if (input_ == nullptr && value == otherwise) return;
    if (!process(name, value, form)) value = otherwise;
  }

 private:
  template <class Value, class Form>
  bool process(std::string_view name, Value& value, Form /*form*/) {
    if (input_ != nullptr) return Form::read(*input_, name, value);
    object_[name] = Form::write(value);
    return true;
  }

  template <class Value, class Form>
  bool process(std::string_view name, std::optional<Value>& value, Form form) {
    if (input_ != nullptr) value.emplace();
    const bool isThere = process(name, *value, form);
    if (!isThere) value.reset();
    return isThere;
  }

  JsonInput* input_ = nullptr;
  boost::json::object object_{};
};

/// Reads these members, and leaves others to the caller.
template <class Value>
[[nodiscard]] Value readSome(JsonInput& input) {
  Value value{};
  Members m{input};
  members(m, value);
  return value;
}

/// Reads an object with these members and no others.
template <class Value>
[[nodiscard]] Value readMembers(JsonInput& input) {
  Value value = readSome<Value>(input);
  input.finish();
  return value;
}

template <class Value>
[[nodiscard]] boost::json::object writeMembers(Value value) {
  Members m;
  members(m, value);
  return std::move(m).written();
}

/// Lists the members of a value as its type does.
struct AllMembers {
  template <class Value>
  static void list(Members& m, Value& value) {
    members(m, value);
  }
};

/// An object with the members of the value that `List` lists.
template <class List = AllMembers>
struct Nested {
  template <class Value>
  static bool read(JsonInput& input, std::string_view name, Value& value) {
    std::optional<JsonInput> given = input.object(name);
    if (!given) return false;
    at(*given, [&] {
      Members m{*given};
      List::list(m, value);
      given->finish();
    });
    return true;
  }
  template <class Value>
  static boost::json::value write(Value value) {
    Members m;
    List::list(m, value);
    return std::move(m).written();
  }
};

}  // namespace tally::fake::detail
