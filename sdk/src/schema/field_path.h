#pragma once

#include <string_view>
#include <vector>

#include "schema/object_ref.h"

namespace tally::detail {

/// The path to a field through nested objects: `amount_failed.value`.
class FieldPath {
 public:
  /// Throws std::logic_error if `type` has no such field.
  FieldPath(const Struct& type, std::string_view path);

  [[nodiscard]] const Field& field() const noexcept { return *field_; }

  /// The struct within `object` that holds the field; empty if an optional on the path is.
  [[nodiscard]] ConstObjectRef holder(ConstObjectRef object) const;

  /// The same, but creates empty optionals on the path.
  [[nodiscard]] ObjectRef makeHolder(ObjectRef object) const;

  /// The field's value; empty if there is none.
  [[nodiscard]] ConstValueRef find(ConstObjectRef object) const;

  /// The field's value, created if there is none.
  [[nodiscard]] ValueRef make(ObjectRef object) const;

  bool operator==(const FieldPath&) const = default;

 private:
  std::vector<const Field*> outer_{};
  const Field* field_ = nullptr;
};

}  // namespace tally::detail
