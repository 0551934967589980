#include "schema/field_path.h"

#include <stdexcept>
#include <string>

namespace tally::detail {

namespace {

const Field& fieldOf(const Struct* type, std::string_view name) {
  const Field* field = type == nullptr ? nullptr : type->find(name);
  if (field == nullptr || field->member == nullptr)
    throw std::logic_error{"the API description names an unknown field '" + std::string{name} + "'"};
  return *field;
}

}  // namespace

FieldPath::FieldPath(const Struct& type, std::string_view path) {
  const Struct* around = &type;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    outer_.push_back(&fieldOf(around, path.substr(0, dot)));
    around = outer_.back()->type.object;
    path.remove_prefix(dot + 1);
  }
  field_ = &fieldOf(around, path);
}

ConstObjectRef FieldPath::holder(ConstObjectRef object) const {
  for (const Field* field : outer_) {
    const ConstValueRef value = object.value(*field);
    if (!value) return {};
    object = value.object();
  }
  return object;
}

ObjectRef FieldPath::makeHolder(ObjectRef object) const {
  for (const Field* field : outer_)
    object = object.member(*field).make().object();
  return object;
}

ConstValueRef FieldPath::find(ConstObjectRef object) const {
  const ConstObjectRef around = holder(object);
  return around ? around.value(*field_) : ConstValueRef{};
}

ValueRef FieldPath::make(ObjectRef object) const {
  return makeHolder(object).member(*field_).make();
}

}  // namespace tally::detail
