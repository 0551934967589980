#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/clock.h>
#include <tally/fake/text_pattern.h>
#include <tally/transport.h>

#include "request/json_document.h"

namespace tally::fake::detail {

/// A problem in JSON input, and its place: `accounts[0].faults[1].times: expected an integer`.
class BadInput : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Parses JSON. Throws BadInput with line and column if it is invalid or nested too deeply.
[[nodiscard]] JsonDocument parseInput(std::string_view text);

/// A JSON object whose members are read by name. All functions throw BadInput if a member has the wrong type.
class JsonInput {
 public:
  /// Throws BadInput if `value` is not an object, or has a name twice. Its document must outlive this.
  explicit JsonInput(const JsonValue& value, std::string place = {});
  explicit JsonInput(const JsonDocument& document) : JsonInput(document.root()) {}

  [[nodiscard]] std::optional<std::string> text(std::string_view name);
  /// Text, or bytes that are not text: an object with `base64`.
  [[nodiscard]] std::optional<std::string> bytes(std::string_view name);
  [[nodiscard]] bool isText(std::string_view name);
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name);
  /// Throws BadInput also if the integer is less than `least` or more than `most`.
  [[nodiscard]] std::optional<std::int64_t> integer(
      std::string_view name, std::int64_t least,
      std::int64_t most = std::numeric_limits<std::int64_t>::max());
  /// An integer from 0 to 2^64 - 1.
  [[nodiscard]] std::optional<std::uint64_t> unsignedInteger(std::string_view name);
  [[nodiscard]] std::optional<double> number(std::string_view name);
  /// An integer from 0 to 2^64 - 1, as text, since JSON numbers often have only 53 bits.
  [[nodiscard]] std::optional<std::uint64_t> bits(std::string_view name);
  [[nodiscard]] std::optional<bool> boolean(std::string_view name);
  [[nodiscard]] std::optional<std::chrono::milliseconds> milliseconds(std::string_view name);
  /// A time in RFC 3339, or in seconds since the Unix epoch.
  [[nodiscard]] std::optional<Instant> time(std::string_view name);
  [[nodiscard]] std::optional<JsonInput> object(std::string_view name);
  [[nodiscard]] std::vector<JsonInput> objects(std::string_view name);  // empty if there is none
  /// Whether there is such a member, and it is not null.
  [[nodiscard]] bool has(std::string_view name) { return find(name).has_value(); }
  /// An object of bytes() by name, or, as names may repeat, an array of objects with `name` and `value`.
  /// Empty if there is none. Throws BadInput also for what can't be a header.
  [[nodiscard]] std::vector<Header> headers(std::string_view name);
  /// bytes(), or an object with `contains` or `present`.
  [[nodiscard]] std::optional<TextPattern> pattern(std::string_view name);
  /// Like headers(), with a pattern() as each value.
  [[nodiscard]] std::vector<NamedPattern> patterns(std::string_view name);

  template <class Value>
  [[nodiscard]] Value required(std::optional<Value> read, std::string_view name) const {
    if (!read) fail(name, "missing");
    return *std::move(read);
  }

  /// Throws BadInput if the object has a member that was never read.
  void finish() const;

  /// The entire object, as it was given, but compact.
  [[nodiscard]] JsonValue json() const { return object_; }

  /// Throws BadInput about a member, or about the object itself.
  [[noreturn]] void fail(std::string_view name, const std::string& what) const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  [[nodiscard]] std::optional<JsonValue> find(std::string_view name);
  template <class Read>
  [[nodiscard]] auto get(std::string_view name, const char* expected, const Read& read)
      -> decltype(read(std::declval<const JsonValue&>()));
  [[nodiscard]] std::string bytesOf(std::string_view name, const JsonValue& value) const;
  [[nodiscard]] std::vector<JsonInput> objectsIn(std::string_view name, const JsonValue& array) const;
  template <class Read>
  void forEachNamed(std::string_view name, const Read& read);
  [[nodiscard]] std::string placeOf(std::string_view name) const;

  JsonValue object_;
  std::string place_;
  std::set<std::string, std::less<>> asked_{};
  std::optional<JsonChildren<JsonMember>::Iterator> next_{};  // after the member found last
};

/// Adds the place in the input to errors from the service.
template <class Action>
void at(const JsonInput& input, const Action& action) {
  try {
    action();
  } catch (const BadInput&) {
    throw;
  } catch (const std::invalid_argument& problem) {
    input.fail(problem.what());
  }
}

}  // namespace tally::fake::detail
