#include "objects/reference_check.h"

#include <string>
#include <string_view>

#include "errors.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

namespace {

class ReferenceCheck {
 public:
  explicit ReferenceCheck(const Visible& visible) : visible_(visible) {}

  Fault all(ConstObjectRef params, std::string_view outer) const {
    for (const Field& field : params.type().fields)
      if (Fault fault = one(field, params.given(field), outer)) return fault;
    return std::nullopt;
  }

 private:
  Fault one(const Field& field, ConstValueRef value, std::string_view outer) const {
    if (!value) return std::nullopt;
    if (!field.idPrefix.empty()) return reference(field, value.text(), outer);
    if (value.kind() == Kind::object) return all(value.object(), paramName(outer, field.name));
    if (value.kind() == Kind::list) return each(value.list(), paramName(outer, field.name));
    return std::nullopt;
  }

  Fault each(ConstListRef list, std::string_view name) const {
    if (list.elementType().kind != Kind::object) return std::nullopt;
    for (std::size_t i = 0; i < list.size(); ++i)
      if (Fault fault = all(list[i].object(), paramName(name, std::to_string(i)))) return fault;
    return std::nullopt;
  }

  Fault reference(const Field& field, std::string_view id, std::string_view outer) const {
    const ResourceType* named = nullptr;
    for (std::size_t i = 0; i < visible_.types.size(); ++i) {
      if (visible_.types[i].resource().idPrefix != field.idPrefix) continue;
      if (visible_.collections[i].find(id) != nullptr) return std::nullopt;
      if (named == nullptr) named = &visible_.types[i];
    }
    if (named == nullptr) return std::nullopt;
    return Refusal{.response = &errors::resourceMissing,
                   .param = paramName(outer, field.name),
                   .value = std::string{id},
                   .words = named->words()};
  }

  const Visible& visible_;
};

}  // namespace

Fault checkReferences(ConstObjectRef params, const Visible& visible) {
  return ReferenceCheck{visible}.all(params, {});
}

}  // namespace tally::fake::detail
