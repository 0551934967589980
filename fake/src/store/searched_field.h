#pragma once

#include <optional>
#include <string>

#include "schema/field_path.h"
#include "tables/scalar.h"

namespace tally::fake::detail {

using tally::detail::FieldPath;

/// What a clause of a query speaks of: a field, or one key of a map.
struct SearchedField {
  FieldPath path;
  std::optional<std::string> key{};  // of a map

  /// Nothing where there is no value, and for what is not one value, such as a list.
  [[nodiscard]] Scalar in(const void* object) const;

  /// Whether there is anything, be it not one value.
  [[nodiscard]] bool isPresent(const void* object) const;

  bool operator==(const SearchedField&) const = default;
};

}  // namespace tally::fake::detail
