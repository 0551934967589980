#include "tables/object_merge.h"

#include <string>

namespace tally::fake::detail {

using tally::detail::Type;

namespace {

bool isText(Kind kind) {
  return kind == Kind::text || kind == Kind::string;
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

void copyValue(ConstValueRef source, ValueRef target);

/// Copies a value to a target of a compatible type.
struct ValueCopy {
  ConstValueRef source;

  void operator()(std::string& target) const { target = source.text(); }
  void operator()(Metadata& target) const {
    if (source.kind() == Kind::metadataEdit) return carryOut(source.as<MetadataEdit>(), target);
    target = source.as<Metadata>();
  }
  void operator()(ObjectRef target) const {
    const ConstObjectRef object = source.object();
    if (&object.type() == &target.type()) return copyObject(object, target);
    mergeGiven(object, target);
  }
  void operator()(ListRef target) const {
    target.truncate(0);
    for (std::size_t i = 0; i < source.list().size(); ++i)
      copyValue(source.list()[i], target.append());
  }
  template <class Value>
  void operator()(Value& target) const {
    target = source.as<Value>();
  }
};

void copyValue(ConstValueRef source, ValueRef target) {
  visit(target, ValueCopy{source});
}

}  // namespace

void copyField(const Field& from, ConstObjectRef source, const Field& to, ObjectRef target) {
  const ConstValueRef value = source ? source.value(from) : ConstValueRef{};
  if (value) return copyValue(value, target.member(to).make());
  if (to.type.optional != nullptr) target.member(to).clear();
}

void copyObject(ConstObjectRef source, ObjectRef target) {
  for (const Field& field : source.type().fields)
    if (field.member != nullptr) copyField(field, source, field, target);
}

void mergeGiven(ConstObjectRef source, ObjectRef target) {
  for (const Field& field : source.type().fields) {
    const ConstValueRef value = source.given(field);
    const Field* into = value ? target.type().find(field.name) : nullptr;
    if (into == nullptr || into->member == nullptr || !compatible(field.type, into->type)) continue;
    const ValueRef place = target.member(*into).make();
    if (into->type.kind == Kind::object) {
      mergeGiven(value.object(), place.object());
    } else {
      copyValue(value, place);
    }
  }
}

}  // namespace tally::fake::detail
