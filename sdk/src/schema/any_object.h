#pragma once

#include <memory>

#include "schema/object_ref.h"

namespace tally::detail {

/// Owns an object whose type is known only by its description. Empty when default-constructed.
class AnyObject {
 public:
  AnyObject() = default;
  explicit AnyObject(const Struct& type) : object_(type.create(), Destroy{&type}) {}

  [[nodiscard]] ObjectRef ref() noexcept { return made(); }
  [[nodiscard]] ConstObjectRef ref() const noexcept { return made(); }

 private:
  struct Destroy {
    const Struct* type;
    void operator()(void* object) const { type->destroy(object); }
  };

  [[nodiscard]] ObjectRef made() const noexcept {
    return object_ ? ObjectRef{*object_.get_deleter().type, object_.get()} : ObjectRef{};
  }

  std::unique_ptr<void, Destroy> object_{};
};

}  // namespace tally::detail
