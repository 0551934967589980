#include "json/reset.h"

#include <string>

#include "schema/visit.h"

namespace tally::detail {

namespace {

struct ValueReset {
  void operator()(std::string& value) const { value.clear(); }
  void operator()(Metadata& value) const { value.clear(); }
  void operator()(RawJson& value) const { value.text.clear(); }
  void operator()(ObjectRef value) const { reset(value); }
  void operator()(ListRef value) const { value.truncate(0); }
  template <class Value>
  void operator()(Value& value) const {
    value = {};
  }
};

}  // namespace

void reset(const Field& field, ObjectRef object) {
  if (field.member == nullptr) return;
  const MemberRef member = object.member(field);
  if (field.type.optional != nullptr) return member.clear();
  visit(member.value(), ValueReset{});
}

void reset(ObjectRef object) {
  if (UnknownFields* unknown = object.unknownFields()) unknown->clear();
  for (const Field& field : object.type().fields)
    reset(field, object);
}

}  // namespace tally::detail
