#include "store/searched_field.h"

namespace tally::fake::detail {

Scalar SearchedField::in(const void* object) const {
  const void* value = path.find(object);
  if (!key || value == nullptr) return scalarOf(path.field().type, value);
  const auto& metadata = *static_cast<const Metadata*>(value);
  const auto found = metadata.find(*key);
  return found == metadata.end() ? Scalar{} : Scalar{std::string_view{found->second}};
}

bool SearchedField::isPresent(const void* object) const {
  const void* value = path.find(object);
  if (value == nullptr || !key) return value != nullptr;
  return static_cast<const Metadata*>(value)->contains(*key);
}

}  // namespace tally::fake::detail
