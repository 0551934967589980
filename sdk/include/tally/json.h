#pragma once

#include <tally/detail/cpp20.h>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include <tally/result.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
struct BorrowedJson;
}

/// A JSON value as compact text, for fields whose structure the specification does not show.
struct RawJson {
  std::string text{};

  operator detail::BorrowedJson() const&;
  operator detail::BorrowedJson() const&& = delete;  // a temporary: give it a name
  bool operator==(const RawJson&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const RawJson& json);
};

/// A field of a response that no member holds. Either it is unknown to this version of the client, or it is
/// `null` but could also have been missing. The member for such a field is empty whether the field is `null`
/// or missing.
struct UnknownField {
  /// Path within the object, outermost field first, such as `amount_requested.tax` or `lines[1].size`. Within
  /// a name, a `\` precedes `.`, `[` and `\`.
  std::string path{};
  RawJson value{};

  bool operator==(const UnknownField&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const UnknownField& field);
};

/// All fields of an object that no member holds, in the order received.
struct UnknownFields : std::vector<UnknownField> {
  using vector::vector;

  /// Whether `a` and `b` have the same fields. Their order does not matter, because the order of JSON fields
  /// has no meaning.
  friend bool operator==(const UnknownFields& a, const UnknownFields& b);
};

/// `object` as compact JSON, without a line break, as the service sent it: a field is null or missing as in
/// the response, and unknown fields are in the objects from which they came. Two objects of one type are
/// equal if their JSON values are equal. fromJson() makes an equal object from the JSON.
///
/// Known fields are in the order of the API description. The unknown fields of the same object follow, in the
/// order received. Numbers, strings and white space are written in one canonical form; numbers without a
/// known type keep their spelling.
///
/// Defined for the objects of the API and their parts, such as Amount, but not for parameters. The unknown
/// fields of a part are kept, and written, by the object that contains the part.
///
/// The result is valid JSON in UTF-8, whatever the application has put into `object`: invalid UTF-8 becomes
/// U+FFFD, an empty RawJson becomes `null`, and a RawJson that is not JSON becomes a string with its text. An
/// unknown field is left out if its path leads to no object, or if a member holds the field.
template <class T>
[[nodiscard]] std::string toJson(const T& object);

/// The object that `json` describes. `json` is text from toJson(), or an object as the service sends it. An
/// error has the kind `invalidParameter`, the `param` `json`, and a message such as `amount_requested.value:
/// expected an integer`. Defined for the same types as toJson().
template <class T>
[[nodiscard]] Result<T> fromJson(std::string_view json);

}  // namespace tally
