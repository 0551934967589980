#pragma once

#include <memory>

#include "schema/object_ref.h"

namespace tally::detail {

/// Owns an object whose type is known only by its description. Empty when default-constructed.
class AnyObject {
 public:
  AnyObject() = default;
  explicit AnyObject(const Struct& type) : object_(type.create(), Destroy{&type}) {}

  operator ObjectRef() noexcept { return object_ ? ObjectRef{type(), object_.get()} : ObjectRef{}; }
  operator ConstObjectRef() const noexcept {
    return object_ ? ConstObjectRef{type(), object_.get()} : ConstObjectRef{};
  }

 private:
  struct Destroy {
    const Struct* type;
    void operator()(void* object) const { type->destroy(object); }
  };

  [[nodiscard]] const Struct& type() const noexcept { return *object_.get_deleter().type; }

  std::unique_ptr<void, Destroy> object_{};
};

}  // namespace tally::detail
