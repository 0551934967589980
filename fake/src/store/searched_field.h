#pragma once

#include <optional>
#include <string>

#include "tables/scalar.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

/// The subject of a clause: a field, or one key of a map.
struct SearchedField {
  FieldPath path;
  std::optional<std::string> key{};  // of a map

  /// Nothing if there is no value, or if it is not a scalar.
  [[nodiscard]] Scalar in(ConstObjectRef object) const;

  /// Whether there is a value, scalar or not.
  [[nodiscard]] bool isPresent(ConstObjectRef object) const;

  bool operator==(const SearchedField&) const = default;
};

}  // namespace tally::fake::detail
