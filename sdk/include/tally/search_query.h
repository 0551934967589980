#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tally/borrowed.h>
#include <tally/id.h>
#include <tally/open_enum.h>

// Search queries. Generated structs such as PaymentRecordSearchFields hold the fields for conditions:
//
//   using q = tally::PaymentRecordSearchFields;
//   client.paymentRecords().search(q::amountRequested.value > 1000 && q::metadata("order") == "42");
//
// A condition that the query language of the service cannot express does not compile. Assumed (not
// specified): Query language.

namespace [[gnu::visibility("default")]] tally {

namespace detail {

/// The text of a query, or of a part of it.
struct QueryText {
  std::string characters{};
};

struct AnyField {};

/// The kind of a condition: one clause, or several, joined only by `AND` or only by `OR`.
enum class QueryShape : std::uint8_t { clause, allOf, anyOf };

/// A clause such as `created>=1767225600`.
[[nodiscard, gnu::visibility("default")]] QueryText clause(std::string_view field,
                                                           std::string_view comparison,
                                                           std::string_view operand);

/// A string in quotes, with its quotes and backslashes escaped.
[[nodiscard, gnu::visibility("default")]] std::string quotedInQuery(std::string_view text);

/// Two conditions joined by `AND` if `shape` is `allOf`, otherwise by `OR`.
[[nodiscard, gnu::visibility("default")]] QueryText joined(const std::string& a, QueryShape shape,
                                                           const std::string& b);

/// Negates each clause, and swaps `AND` and `OR`. The result holds for exactly the objects for which the
/// condition does not hold.
[[nodiscard, gnu::visibility("default")]] QueryText negated(std::string_view condition);

/// `metadata["key"]`.
[[nodiscard, gnu::visibility("default")]] std::string metadataPath(std::string_view path,
                                                                   std::string_view key);

template <class Duration>
std::true_type systemTimeTest(const std::chrono::sys_time<Duration>&);
std::false_type systemTimeTest(...);

/// Whether `T` is a std::chrono::sys_time or a Timestamp.
template <class T>
inline constexpr bool isSystemTime = decltype(systemTimeTest(std::declval<const T&>()))::value;

/// The operand for a value that has text. If `hasText` is false, an error has already been reported, and this
/// function reports no further error.
template <bool hasText, class V>
[[nodiscard]] std::string quotedText(const V& value) {
  if constexpr (hasText) {
    return quotedInQuery(viewOf(value));
  } else {
    return {};
  }
}

/// The direction in which a time is rounded to a whole second, so that the result of the comparison does not
/// change.
enum class Rounding : std::uint8_t { down, up };

/// A field that can't be compared: path() of the derived class does not compile, and the error message says
/// what to write instead.
struct UncomparedField : AnyField {
  template <class V>
  [[nodiscard]] static std::string operand(const V&) {
    return {};
  }
  template <class V>
  [[nodiscard]] static std::string bound(const V&, Rounding) {
    return {};
  }
};

template <bool isTime, class V>
[[nodiscard]] std::string secondsText(const V& value, Rounding rounding) {
  static_assert(isTime,
                "tally: compare this field with a std::chrono::sys_time, such as "
                "std::chrono::sys_seconds{std::chrono::seconds{n}} for n seconds since the Unix epoch");
  if constexpr (isTime) {
    using std::chrono::seconds;
    const std::chrono::sys_seconds rounded =
        rounding == Rounding::down ? std::chrono::floor<seconds>(value) : std::chrono::ceil<seconds>(value);
    return std::to_string(rounded.time_since_epoch().count());
  } else {
    return {};
  }
}

template <class Clause, class F, class V>
[[nodiscard]] Clause order(const F& field, std::string_view comparison, Rounding rounding, const V& value) {
  constexpr bool isOrdered = requires { F::bound(value, rounding); };
  static_assert(isOrdered,
                "tally: the query language orders only numbers and times: use ==, != or contains()");
  if constexpr (isOrdered) {
    return Clause{clause(field.path(), comparison, F::bound(value, rounding))};
  } else {
    return Clause{QueryText{}};
  }
}

/// Does not compile unless the condition is on the resource of the search.
template <class Resource, class C>
constexpr void requireResource() {
  static_assert(std::same_as<Resource, typename C::Resource>,
                "tally: the condition is on a field of a different resource from that of the search");
}

template <class F>
constexpr void requireComparison() {
  static_assert(std::is_void_v<F>,
                "tally: a field alone is not a condition: compare it, for example with != std::nullopt");
}

}  // namespace detail

namespace query {

/// A condition on the objects of `R`: a Clause, an AllOf or an AnyOf. Converts to a SearchQuery.
template <class R>
class Condition : private detail::QueryText {
 public:
  using Resource = R;

  /// The condition in the query language.
  [[nodiscard]] const std::string& str() const noexcept { return characters; }

  friend bool operator==(const Condition& a, const Condition& b) noexcept {
    return a.characters == b.characters;
  }
  friend std::ostream& operator<<(std::ostream& out, const Condition& condition) {
    return detail::printText(out, condition.characters);
  }

 protected:
  explicit Condition(detail::QueryText text) noexcept : QueryText(std::move(text)) {}
};

/// A condition on one field. `&&` and `||` join it with others, and `!` negates it.
template <class R>
class Clause : public Condition<R> {
 public:
  static constexpr auto shape = detail::QueryShape::clause;
  explicit Clause(detail::QueryText text) noexcept : Condition<R>(std::move(text)) {}
};

/// Clauses that must all hold. `&&` adds more; `!` makes an AnyOf of the negated clauses.
template <class R>
class AllOf : public Condition<R> {
 public:
  static constexpr auto shape = detail::QueryShape::allOf;
  explicit AllOf(detail::QueryText text) noexcept : Condition<R>(std::move(text)) {}
  AllOf(Clause<R> first) noexcept : Condition<R>(std::move(first)) {}
};

/// Clauses of which at least one must hold. `||` adds more; `!` makes an AllOf of the negated clauses.
template <class R>
class AnyOf : public Condition<R> {
 public:
  static constexpr auto shape = detail::QueryShape::anyOf;
  explicit AnyOf(detail::QueryText text) noexcept : Condition<R>(std::move(text)) {}
  AnyOf(Clause<R> first) noexcept : Condition<R>(std::move(first)) {}
};

template <class T>
concept IsCondition = std::derived_from<T, Condition<typename T::Resource>>;

template <IsCondition A, IsCondition B>
[[nodiscard]] AllOf<typename A::Resource> operator&&(const A& a, const B& b) {
  static_assert(std::same_as<typename A::Resource, typename B::Resource>,
                "tally: the fields in one query must belong to one resource");
  static_assert(A::shape != detail::QueryShape::anyOf && B::shape != detail::QueryShape::anyOf,
                "tally: a query joins conditions with either && or ||, not with both; make several searches");
  return AllOf<typename A::Resource>{detail::joined(a.str(), detail::QueryShape::allOf, b.str())};
}

template <IsCondition A, IsCondition B>
[[nodiscard]] AnyOf<typename A::Resource> operator||(const A& a, const B& b) {
  static_assert(std::same_as<typename A::Resource, typename B::Resource>,
                "tally: the fields in one query must belong to one resource");
  static_assert(A::shape != detail::QueryShape::allOf && B::shape != detail::QueryShape::allOf,
                "tally: a query joins conditions with either && or ||, not with both; make several searches");
  return AnyOf<typename A::Resource>{detail::joined(a.str(), detail::QueryShape::anyOf, b.str())};
}

template <class R>
[[nodiscard]] Clause<R> operator!(const Clause<R>& clause) {
  return Clause<R>{detail::negated(clause.str())};
}
template <class R>
[[nodiscard]] AnyOf<R> operator!(const AllOf<R>& all) {
  return AnyOf<R>{detail::negated(all.str())};
}
template <class R>
[[nodiscard]] AllOf<R> operator!(const AnyOf<R>& any) {
  return AllOf<R>{detail::negated(any.str())};
}

/// The name of a field of `R` in the query language.
template <class R>
class Path : public detail::AnyField {
 public:
  using Resource = R;
  constexpr Path(std::string_view path) noexcept : path_(path) {}
  [[nodiscard]] constexpr std::string_view path() const noexcept { return path_; }

 private:
  std::string_view path_;
};

/// A text field. Supports `==` and `!=` with text, and contains().
template <class R>
struct TextField : Path<R> {
  using Path<R>::Path;

  /// The text contains `part`, which must not be empty. Ignores the case of ASCII letters.
  [[nodiscard]] Clause<R> contains(std::string_view part) const {
    return Clause<R>{detail::clause(this->path(), "~", detail::quotedInQuery(part))};
  }

  template <class V>
  [[nodiscard]] static std::string operand(const V& value) {
    static_assert(!std::is_null_pointer_v<V>,
                  "tally: compare with std::nullopt to find the objects without a value in this field");
    static_assert(detail::isText<V> || std::is_null_pointer_v<V>, "tally: compare this field with a string");
    return detail::quotedText<detail::isText<V>>(value);
  }
};

/// A field with the identifier of a `T`. Supports `==` and `!=` with an Id<T> or text, and contains().
template <class R, class T>
struct IdField : TextField<R> {
  using TextField<R>::TextField;

  template <class V>
  [[nodiscard]] static std::string operand(const V& value) {
    constexpr bool isId = std::same_as<V, Id<T>> || detail::PlainText<V>;
    static_assert(isId, "tally: compare this field with an identifier of its own resource, or with a string");
    return detail::quotedText<isId>(value);
  }
};

/// A field with a value from an open set. Supports `==` and `!=` with an `E`, an OpenEnum<E> or text, and
/// contains().
template <class R, class E>
struct EnumField : TextField<R> {
  using TextField<R>::TextField;

  template <class V>
  [[nodiscard]] static std::string operand(const V& value) {
    constexpr bool isValue = std::same_as<V, E> || std::same_as<V, OpenEnum<E>> || detail::PlainText<V>;
    static_assert(isValue, "tally: compare this field with an enumerator of its own type, or with a string");
    return detail::quotedText<isValue>(value);
  }
};

/// A field whose parts are themselves fields, such as `amount_requested`. Conditions compare the parts.
template <class R>
struct FieldGroup : detail::UncomparedField {
  using Resource = R;

  /// Does not compile.
  [[nodiscard]] static constexpr std::string_view path() noexcept {
    static_assert(std::is_void_v<R>, "tally: this field has parts: compare one of them, such as .value");
    return {};
  }
};

/// One key of a metadata field. Supports `==` and `!=` with text, and contains().
template <class R>
class MetadataKey : public detail::AnyField {
 public:
  using Resource = R;
  explicit MetadataKey(std::string path) noexcept : path_(std::move(path)) {}

  [[nodiscard]] std::string_view path() const noexcept { return path_; }

  /// See TextField::contains().
  [[nodiscard]] Clause<R> contains(std::string_view part) const { return TextField<R>{path_}.contains(part); }

  template <class V>
  [[nodiscard]] static std::string operand(const V& value) {
    return TextField<R>::operand(value);
  }

 private:
  std::string path_;
};

/// A metadata field: `q::metadata("order") == "42"`.
template <class R>
class MetadataField : public detail::UncomparedField {
 public:
  using Resource = R;
  constexpr MetadataField(std::string_view path) noexcept : path_(path) {}

  [[nodiscard]] MetadataKey<R> operator()(std::string_view key) const {
    return MetadataKey<R>{detail::metadataPath(path_, key)};
  }
  /// Does not compile.
  template <class Key>
  MetadataKey<R> operator[](const Key&) const {
    static_assert(std::is_void_v<Key>,
                  "tally: write the key of metadata in parentheses: metadata(\"order\")");
    return (*this)({});
  }
  /// Does not compile.
  [[nodiscard]] static constexpr std::string_view path() noexcept {
    static_assert(std::is_void_v<R>, "tally: compare one key of metadata: metadata(\"order\")");
    return {};
  }

 private:
  std::string_view path_;
};

/// A field that is true or false. Supports `==` and `!=` with a bool.
template <class R>
struct BooleanField : Path<R> {
  using Path<R>::Path;

  template <class V>
  [[nodiscard]] static std::string operand(const V& value) {
    static_assert(std::same_as<V, bool>, "tally: compare this field with true or false");
    return value ? R"("true")" : R"("false")";
  }
};

/// A field with an integer. Supports comparisons with integers.
template <class R>
struct NumberField : Path<R> {
  using Path<R>::Path;

  template <class V>
  [[nodiscard]] static std::string operand(const V& value) {
    constexpr bool isInteger = std::integral<V> && !std::same_as<V, bool>;
    static_assert(isInteger, "tally: compare this field with an integer");
    static_assert(!isInteger || std::is_signed_v<V> || sizeof(V) < sizeof(std::int64_t),
                  "tally: numbers in the query language are signed: convert this one to std::int64_t");
    if constexpr (isInteger) {
      return std::to_string(value);
    } else {
      return {};
    }
  }
  template <class V>
  [[nodiscard]] static std::string bound(const V& value, detail::Rounding) {
    return operand(value);
  }
};

/// A field with a time in whole seconds. `<`, `<=`, `>` and `>=` compare it with any `std::chrono::sys_time`;
/// `==` and `!=` compare it with a time in whole seconds.
template <class R>
struct TimeField : Path<R> {
  using Path<R>::Path;

  template <class V>
  [[nodiscard]] static std::string operand(const V& value) {
    constexpr bool isWhole = std::convertible_to<const V&, std::chrono::sys_seconds>;
    static_assert(isWhole || !detail::isSystemTime<V>,
                  "tally: == compares whole seconds: give bounds with >= and <, or round the time");
    return detail::secondsText < isWhole || detail::isSystemTime < V >> (value, detail::Rounding::down);
  }
  template <class V>
  [[nodiscard]] static std::string bound(const V& value, detail::Rounding rounding) {
    return detail::secondsText<detail::isSystemTime<V>>(value, rounding);
  }
};

template <class T>
concept IsField = std::derived_from<T, detail::AnyField>;

/// A comparison with std::nullopt finds the objects without a value in the field.
template <IsField F, class V>
[[nodiscard]] Clause<typename F::Resource> operator==(const F& field, const V& value) {
  if constexpr (std::same_as<V, std::nullopt_t>) {
    return Clause<typename F::Resource>{detail::clause(field.path(), ":", "null")};
  } else {
    return Clause<typename F::Resource>{detail::clause(field.path(), ":", F::operand(value))};
  }
}

/// Negates `==`, so `!=` also holds for objects without a value in the field, unless `value` is std::nullopt.
template <IsField F, class V>
[[nodiscard]] Clause<typename F::Resource> operator!=(const F& field, const V& value) {
  return !(field == value);
}

template <IsField F, class V>
[[nodiscard]] Clause<typename F::Resource> operator<(const F& field, const V& value) {
  return detail::order<Clause<typename F::Resource>>(field, "<", detail::Rounding::up, value);
}
template <IsField F, class V>
[[nodiscard]] Clause<typename F::Resource> operator<=(const F& field, const V& value) {
  return detail::order<Clause<typename F::Resource>>(field, "<=", detail::Rounding::down, value);
}
template <IsField F, class V>
[[nodiscard]] Clause<typename F::Resource> operator>(const F& field, const V& value) {
  return detail::order<Clause<typename F::Resource>>(field, ">", detail::Rounding::down, value);
}
template <IsField F, class V>
[[nodiscard]] Clause<typename F::Resource> operator>=(const F& field, const V& value) {
  return detail::order<Clause<typename F::Resource>>(field, ">=", detail::Rounding::up, value);
}

}  // namespace query

/// The query of a search for objects of `Resource`: conditions on its fields, or text in the query language.
/// Conditions on the fields of another resource do not compile. The service checks the text. A search with a
/// query that the service refuses ends in ErrorKind::invalidRequest.
template <class Resource>
class SearchQuery : private detail::QueryText {
 public:
  SearchQuery() = default;
  SearchQuery(const char* text) : QueryText{text == nullptr ? std::string{} : std::string{text}} {}
  SearchQuery(std::string_view text) : QueryText{std::string{text}} {}
  SearchQuery(std::string text) : QueryText{std::move(text)} {}
  template <query::IsCondition C>
  SearchQuery(const C& condition) : QueryText{condition.str()} {
    detail::requireResource<Resource, C>();
  }
  /// Does not compile.
  template <query::IsField F>
  SearchQuery(const F&) {
    detail::requireComparison<F>();
  }

  /// The query as it is sent.
  [[nodiscard]] const std::string& str() const noexcept { return characters; }
  [[nodiscard]] bool empty() const noexcept { return characters.empty(); }

  friend bool operator==(const SearchQuery& a, const SearchQuery& b) noexcept {
    return a.characters == b.characters;
  }
  friend std::ostream& operator<<(std::ostream& out, const SearchQuery& query) {
    return detail::printText(out, query.characters);
  }
};

namespace detail {

template <class Resource>
[[nodiscard]] std::string_view viewOf(const SearchQuery<Resource>& query) noexcept {
  return query.str();
}

/// Refers to the text of a SearchQuery.
template <class Resource>
class BorrowedQuery : public BorrowedText<SearchQuery<Resource>> {
 public:
  using BorrowedText<SearchQuery<Resource>>::BorrowedText;
  template <query::IsCondition C>
  BorrowedQuery(const C& condition) noexcept : BorrowedQuery(condition.str()) {
    requireResource<Resource, C>();
  }
  template <query::IsField F>
  BorrowedQuery(const F&) noexcept {
    requireComparison<F>();
  }
};

template <class Resource>
struct BorrowedForm<SearchQuery<Resource>> {
  using type = BorrowedQuery<Resource>;
};

}  // namespace detail

}  // namespace tally
