#pragma once

#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace tally::detail {

/// The way to a field of an object, through the objects that are around it: `amount_failed.value`.
class FieldPath {
 public:
  /// Throws std::logic_error where `type` has no such field.
  FieldPath(const Struct& type, std::string_view path);

  /// The field at the end of the way.
  [[nodiscard]] const Field& field() const noexcept { return *field_; }

  /// The struct within `object` that holds the field; null where an empty optional is on the way.
  [[nodiscard]] const void* holder(const void* object) const;

  /// The same, but what is empty on the way is made.
  [[nodiscard]] void* makeHolder(void* object) const;

  /// The field's value, or null where there is none.
  [[nodiscard]] const void* find(const void* object) const;

  /// The field's value, made where there is none.
  [[nodiscard]] void* make(void* object) const;

  bool operator==(const FieldPath&) const = default;

 private:
  std::vector<const Field*> outer_{};
  const Field* field_ = nullptr;
};

}  // namespace tally::detail
