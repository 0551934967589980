#include "codec/reset.h"

#include <chrono>
#include <string>

namespace tally::detail {

namespace {

void resetObject(const Struct& type, void* object) {
  if (type.unknownFields != nullptr) type.unknownFields(object)->clear();
  for (const Field& field : type.fields)
    reset(field, object);
}

void resetValue(const Type& type, void* value) {
  switch (type.kind) {
    case Kind::text:
      return textAt(value).clear();
    case Kind::string:
      return static_cast<std::string*>(value)->clear();
    case Kind::integer:
      *static_cast<std::int64_t*>(value) = 0;
      return;
    case Kind::boolean:
      *static_cast<bool*>(value) = false;
      return;
    case Kind::time:
      *static_cast<std::chrono::sys_seconds*>(value) = {};
      return;
    case Kind::object:
      return resetObject(*type.object, value);
    case Kind::list:
      return type.list->truncate(value, 0);
    case Kind::metadata:
      return static_cast<Metadata*>(value)->clear();
    case Kind::metadataEdit:
      *static_cast<MetadataEdit*>(value) = {};
      return;
    case Kind::rawJson:
      return static_cast<RawJson*>(value)->text.clear();
    case Kind::constant:
      return;
  }
}

}  // namespace

void reset(const Field& field, void* object) {
  if (field.member == nullptr) return;
  void* const member = field.member(object);
  if (field.type.optional != nullptr) return field.type.optional->reset(member);
  resetValue(field.type, member);
}

}  // namespace tally::detail
