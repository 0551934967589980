#include "tables/object_merge.h"

#include <chrono>
#include <string>

namespace tally::fake::detail {

using tally::detail::Kind;
using tally::detail::ListAccess;
using tally::detail::Type;

namespace {

template <class T>
void assign(const void* source, void* target) {
  *static_cast<T*>(target) = *static_cast<const T*>(source);
}

bool isText(Kind kind) {
  return kind == Kind::text || kind == Kind::string;
}

const std::string& textOf(Kind kind, const void* value) {
  return kind == Kind::text ? tally::detail::textAt(value) : *static_cast<const std::string*>(value);
}

void assignText(const Type& from, const void* source, const Type& to, void* target) {
  const std::string& text = textOf(from.kind, source);
  if (to.kind == Kind::text) {
    tally::detail::textAt(target) = text;
  } else {
    *static_cast<std::string*>(target) = text;
  }
}

void carryOut(const MetadataEdit& edit, Metadata& metadata) {
  if (edit.unsetsAll()) metadata.clear();
  for (const MetadataEdit::Change& change : edit.changes()) {
    if (change.unset) {
      metadata.erase(change.key);
    } else {
      metadata.insert_or_assign(change.key, change.value);
    }
  }
}

bool compatible(const Type& from, const Type& to) {
  if (isText(from.kind)) return isText(to.kind);
  if (from.kind == Kind::metadataEdit) return to.kind == Kind::metadata;
  if (from.kind == Kind::list && to.kind == Kind::list)
    return compatible(*from.list->element, *to.list->element);
  return from.kind == to.kind;
}

void copyValue(const Type& from, const void* source, const Type& to, void* target);

void copyList(const ListAccess& from, const void* source, const ListAccess& to, void* target) {
  to.truncate(target, 0);
  for (std::size_t i = 0; i < from.size(source); ++i)
    copyValue(*from.element, from.at(const_cast<void*>(source), i), *to.element, to.append(target));
}

void copyNested(const Type& from, const void* source, const Type& to, void* target) {
  if (from.object == to.object) return copyObject(*from.object, source, target);
  mergeGiven(*from.object, source, *to.object, target);
}

void copyValue(const Type& from, const void* source, const Type& to, void* target) {
  switch (to.kind) {
    case Kind::text:
    case Kind::string:
      return assignText(from, source, to, target);
    case Kind::integer:
      return assign<std::int64_t>(source, target);
    case Kind::boolean:
      return assign<bool>(source, target);
    case Kind::time:
      return assign<std::chrono::sys_seconds>(source, target);
    case Kind::object:
      return copyNested(from, source, to, target);
    case Kind::list:
      return copyList(*from.list, source, *to.list, target);
    case Kind::metadata:
      if (from.kind == Kind::metadata) return assign<Metadata>(source, target);
      return carryOut(*static_cast<const MetadataEdit*>(source), *static_cast<Metadata*>(target));
    case Kind::metadataEdit:
      return assign<MetadataEdit>(source, target);
    case Kind::rawJson:
      return assign<RawJson>(source, target);
    case Kind::constant:
      return;
  }
}

void* valueToSet(const Field& field, void* object) {
  void* member = field.member(object);
  void* value = field.type.value(member);
  return value != nullptr ? value : field.type.emplace(member);
}

}  // namespace

void copyField(const Field& from, const void* source, const Field& to, void* target) {
  const void* value = source == nullptr ? nullptr : from.in(source);
  if (value != nullptr) return copyValue(from.type, value, to.type, valueToSet(to, target));
  if (to.type.optional != nullptr) to.type.optional->reset(to.member(target));
}

void copyObject(const Struct& type, const void* source, void* target) {
  for (const Field& field : type.fields)
    if (field.member != nullptr) copyField(field, source, field, target);
}

void mergeGiven(const Struct& from, const void* source, const Struct& to, void* target) {
  for (const Field& field : from.fields) {
    const void* value = field.given(source);
    const Field* into = value == nullptr ? nullptr : to.find(field.name);
    if (into == nullptr || into->member == nullptr || !compatible(field.type, into->type)) continue;
    void* place = valueToSet(*into, target);
    if (into->type.kind == Kind::object) {
      mergeGiven(*field.type.object, value, *into->type.object, place);
    } else {
      copyValue(field.type, value, into->type, place);
    }
  }
}

}  // namespace tally::fake::detail
