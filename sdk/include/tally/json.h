#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace tally {

/// A JSON value as compact text, for what the specification names without showing its fields.
struct RawJson {
  std::string text{};

  bool operator==(const RawJson&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const RawJson& json);
};

/// A field that the service sent and this version of the client does not know.
struct UnknownField {
  std::string path{};  ///< Where it stood in the object, parents first, as `amount_requested.tax`.
  RawJson value{};

  bool operator==(const UnknownField&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const UnknownField& field);
};

/// Everything in an object that this version of the client does not know, in the order received.
using UnknownFields = std::vector<UnknownField>;

}  // namespace tally
