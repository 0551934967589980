#include "store/searched_field.h"

namespace tally::fake::detail {

Scalar SearchedField::in(ConstObjectRef object) const {
  const auto value = path.find(object);
  if (!key || !value) return scalarOf(value);
  const auto& metadata = value.as<Metadata>();
  const auto found = metadata.find(*key);
  return found == metadata.end() ? Scalar{} : Scalar{std::string_view{found->second}};
}

bool SearchedField::isPresent(ConstObjectRef object) const {
  const auto value = path.find(object);
  if (!value || !key) return bool{value};
  return value.as<Metadata>().contains(*key);
}

}  // namespace tally::fake::detail
