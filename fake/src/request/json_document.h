#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tally::fake::detail {

/// How many levels of objects and arrays a value may have whose structure no table describes, such as
/// `customer_details`. Checked wherever one enters the service, so that what it stores can be saved and
/// loaded.
inline constexpr std::size_t deepestRawJson = 32;

/// The same for a text as a whole: room for such a value within an object, and for what contains the object,
/// such as a saved service.
inline constexpr std::size_t deepestJson = 2 * deepestRawJson;

/// Why a text is not JSON that can be read.
struct JsonProblem {
  std::string what{};
  std::size_t offset = 0;            // in the text
  bool tooDeep = false;              // it may be JSON otherwise
  std::vector<std::string> place{};  // the names and indices that lead there

  /// In one text, such as `fields.customer_details[0]`; cut if it is long.
  [[nodiscard]] std::string path() const;
};

struct JsonMember;
template <class Child>
class JsonChildren;

/// A value in a JsonDocument, which must outlive it.
class JsonValue {
 public:
  [[nodiscard]] bool isNull() const { return first() == 'n'; }
  [[nodiscard]] bool isBoolean() const { return first() == 't' || first() == 'f'; }
  [[nodiscard]] bool isString() const { return first() == '"'; }
  [[nodiscard]] bool isArray() const { return first() == '['; }
  [[nodiscard]] bool isObject() const { return first() == '{'; }
  [[nodiscard]] bool isNumber() const { return first() == '-' || (first() >= '0' && first() <= '9'); }

  /// Its own JSON, compact. Numbers are spelled as they were given.
  [[nodiscard]] std::string_view text() const;

  // Each is for values of one kind.
  [[nodiscard]] bool boolean() const { return first() == 't'; }
  [[nodiscard]] std::string string() const;
  /// Whether it is this string.
  [[nodiscard]] bool is(std::string_view text) const;
  [[nodiscard]] JsonChildren<JsonValue> elements() const;
  [[nodiscard]] JsonChildren<JsonMember> members() const;

  /// Nothing unless it is an integer, spelled as one, that fits.
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  /// Nothing unless it is a number in the range of a double.
  [[nodiscard]] std::optional<double> number() const;

  bool operator==(const JsonValue&) const = default;

 private:
  friend class JsonDocument;
  friend struct JsonMember;
  template <class Child>
  friend class JsonChildren;
  friend std::optional<std::string> repeatedName(const JsonValue& value);

  struct Content;

  JsonValue(const Content* content, std::size_t node) : content_(content), node_(node) {}
  [[nodiscard]] char first() const { return text().front(); }
  [[nodiscard]] std::size_t after() const;
  [[nodiscard]] JsonValue at(std::size_t node) const { return {content_, node}; }
  /// Appends the way from here to a value within.
  void appendWay(const JsonValue& inner, std::vector<std::string>& place) const;

  const Content* content_;
  std::size_t node_;
};

/// A member of an object.
struct JsonMember {
  explicit JsonMember(JsonValue first) : name(first), value(first.at(first.after())) {}

  JsonValue name;
  JsonValue value;
};

/// The elements of an array, or the members of an object, in order; a name may occur several times.
template <class Child>
class JsonChildren {
 public:
  class Iterator {
   public:
    explicit Iterator(JsonValue first) : first_(first) {}
    [[nodiscard]] Child operator*() const { return Child{first_}; }
    Iterator& operator++() {
      if constexpr (std::same_as<Child, JsonMember>) first_.node_ = first_.after();
      first_.node_ = first_.after();
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    JsonValue first_;  // of the child
  };

  explicit JsonChildren(JsonValue parent) : parent_(parent) {}
  [[nodiscard]] Iterator begin() const { return Iterator{parent_.at(parent_.node_ + 1)}; }
  [[nodiscard]] Iterator end() const { return Iterator{parent_.at(parent_.after())}; }

 private:
  JsonValue parent_;
};

/// A JSON text and where its values are. Unlike a tree of numbers and texts, it keeps what was written: the
/// spelling of numbers, and names that occur several times.
class JsonDocument {
 public:
  /// Parses `text`, with objects and arrays nested at most `deepest` levels deep.
  explicit JsonDocument(std::string_view text, std::size_t deepest = deepestJson);
  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  ~JsonDocument();

  /// What prevented that; nothing if it is JSON.
  [[nodiscard]] const std::optional<JsonProblem>& problem() const noexcept { return problem_; }

  /// The value; only if there is no problem.
  [[nodiscard]] JsonValue root() const { return {content_.get(), 0}; }

 private:
  std::unique_ptr<JsonValue::Content> content_;
  std::optional<JsonProblem> problem_{};
};

/// A name that occurs twice in the value, if it is an object, or in an object within it: its path, such as
/// `customer_details.a[0].b`.
[[nodiscard]] std::optional<std::string> repeatedName(const JsonValue& value);

/// A name that occurs twice in an object, not counting the objects within it.
[[nodiscard]] std::optional<std::string> repeatedMember(const JsonValue& object);

}  // namespace tally::fake::detail
