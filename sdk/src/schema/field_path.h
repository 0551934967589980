#pragma once

#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace tally::detail {

/// The path to a field through nested objects: `amount_failed.value`.
class FieldPath {
 public:
  /// Throws std::logic_error if `type` has no such field.
  FieldPath(const Struct& type, std::string_view path);

  [[nodiscard]] const Field& field() const noexcept { return *field_; }

  /// The struct within `object` that holds the field; null if an optional on the path is empty.
  [[nodiscard]] const void* holder(const void* object) const;

  /// The same, but creates empty optionals on the path.
  [[nodiscard]] void* makeHolder(void* object) const;

  /// The field's value; null if there is none.
  [[nodiscard]] const void* find(const void* object) const;

  /// The field's value, created if there is none.
  [[nodiscard]] void* make(void* object) const;

  bool operator==(const FieldPath&) const = default;

 private:
  std::vector<const Field*> outer_{};
  const Field* field_ = nullptr;
};

}  // namespace tally::detail
