#include "schema/field_path.h"

#include <stdexcept>
#include <string>

namespace tally::detail {

namespace {

void* made(const Field& field, void* object) {
  void* member = field.member(object);
  void* value = field.type.value(member);
  return value != nullptr ? value : field.type.emplace(member);
}

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

const void* FieldPath::holder(const void* object) const {
  for (const Field* field : outer_) {
    object = field->in(object);
    if (object == nullptr) return nullptr;
  }
  return object;
}

void* FieldPath::makeHolder(void* object) const {
  for (const Field* field : outer_)
    object = made(*field, object);
  return object;
}

const void* FieldPath::find(const void* object) const {
  const void* around = holder(object);
  return around == nullptr ? nullptr : field_->in(around);
}

void* FieldPath::make(void* object) const {
  return made(*field_, makeHolder(object));
}

}  // namespace tally::detail
