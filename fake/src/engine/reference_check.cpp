#include "engine/reference_check.h"

#include <string>
#include <string_view>

#include "codec/param_name.h"
#include "errors.h"

namespace tally::fake::detail {

using tally::detail::Kind;
using tally::detail::ListAccess;
using tally::detail::paramName;

namespace {

class ReferenceCheck {
 public:
  explicit ReferenceCheck(const Visible& visible) : visible_(visible) {}

  Fault all(const Struct& type, const void* params, std::string_view outer) const {
    for (const Field& field : type.fields)
      if (Fault fault = one(field, field.given(params), outer)) return fault;
    return std::nullopt;
  }

 private:
  Fault one(const Field& field, const void* value, std::string_view outer) const {
    if (value == nullptr) return std::nullopt;
    if (!field.idPrefix.empty()) return reference(field, tally::detail::textAt(value), outer);
    if (field.type.kind == Kind::object) return all(*field.type.object, value, paramName(outer, field.name));
    if (field.type.kind == Kind::list) return list(*field.type.list, value, paramName(outer, field.name));
    return std::nullopt;
  }

  Fault list(const ListAccess& access, const void* list, std::string_view name) const {
    if (access.element->kind != Kind::object) return std::nullopt;
    for (std::size_t i = 0; i < access.size(list); ++i) {
      const void* element = access.at(const_cast<void*>(list), i);
      if (Fault fault = all(*access.element->object, element, paramName(name, std::to_string(i))))
        return fault;
    }
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

Fault checkReferences(const Struct& type, const void* params, const Visible& visible) {
  return ReferenceCheck{visible}.all(type, params, {});
}

}  // namespace tally::fake::detail
