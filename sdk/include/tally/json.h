#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace tally {

/// A JSON value as compact text, for fields whose structure the specification does not show.
struct RawJson {
  std::string text{};

  bool operator==(const RawJson&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const RawJson& json);
};

/// A field of a response that this version of the client does not know.
struct UnknownField {
  std::string path{};  ///< Path within the object, outermost field first, such as `amount_requested.tax`.
  RawJson value{};

  bool operator==(const UnknownField&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const UnknownField& field);
};

/// All unknown fields of an object, in the order received.
using UnknownFields = std::vector<UnknownField>;

}  // namespace tally
