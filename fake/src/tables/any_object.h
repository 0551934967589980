#pragma once

#include <memory>

#include "schema/schema.h"

namespace tally::fake::detail {

using tally::detail::Struct;

/// Owns an object whose type is known only by its field list. Empty when default-constructed.
class AnyObject {
 public:
  AnyObject() = default;
  explicit AnyObject(const Struct& type) : object_(type.create(), Destroy{&type}) {}

  [[nodiscard]] void* data() noexcept { return object_.get(); }
  [[nodiscard]] const void* data() const noexcept { return object_.get(); }

 private:
  struct Destroy {
    const Struct* type;
    void operator()(void* object) const { type->destroy(object); }
  };

  std::unique_ptr<void, Destroy> object_{};
};

}  // namespace tally::fake::detail
