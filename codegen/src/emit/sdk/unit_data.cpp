#include "emit/sdk/unit_data.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "emit/sdk/cpp_types.h"
#include "emit/text/docs_text.h"
#include "model/names.h"

namespace tally::codegen::emit {

namespace {

using model::Field;
using model::Kind;
using model::Struct;

/// Whether remarks fit behind lines of code in a column of their own.
class Column {
 public:
  void add(const std::string& code, const std::string& remark) {
    if (remark.empty()) return;
    code_ = std::max(code_, code.size());
    remark_ = std::max(remark_, remark.size());
  }
  [[nodiscard]] bool fits() const { return code_ + remark_ <= widest; }

 private:
  static constexpr std::size_t widest = 97;  // a line without its indent, its braces and its slashes

  std::size_t code_ = 0;
  std::size_t remark_ = 0;
};

Data memberData(const Field& field, const Struct& owner) {
  return object(
      {{"name", field.cppName}, {"type", memberType(field, owner)}, {"remark", remark(field, owner)}});
}

/// The row of a field in the table of its struct.
std::string row(const Field& field, const Struct& owner) {
  if (field.type.kind == Kind::constant)
    return "constant(" + literal(field.name) + ", " + literal(field.constant) + ')';
  std::string row = "field<&" + owner.cppName + "::" + field.cppName + ">(" + literal(field.name) +
                    (field.required ? ", Presence::required)" : ")");
  const auto wrap = [&](const std::string& function, const std::string& argument) {
    row = function + '(' + argument + (argument.empty() ? "" : ", ") + row + ')';
  };
  if (field.minimum && (field.type.kind == Kind::integer || field.type.kind == Kind::time)) {
    const std::string minimum = std::to_string(*field.minimum);
    wrap(field.maximum ? "between" : "atLeast",
         field.maximum ? minimum + ", " + std::to_string(*field.maximum) : minimum);
  }
  if (field.lowercaseLetters != 0) wrap("lowercase", std::to_string(field.lowercaseLetters));
  if (!field.idPrefix.empty()) wrap("identifier", literal(field.idPrefix));
  if (field.nullable) wrap("nullable", "");
  if (!field.excludes.empty()) wrap("excluding", literal(field.excludes));
  return row;
}

Data enumData(const model::Description& description, const model::Enum& type) {
  Column column;
  for (const model::EnumValue& value : type.values)
    column.add(value.cppName, value.description);
  return object({{"name", type.cppName},
                 {"doc", comment(description, type.description, type.provenance)},
                 {"above", !column.fits()},
                 {"values", listOf(type.values, [](const model::EnumValue& value) {
                    return object({{"name", value.cppName},
                                   {"text", literal(value.text)},
                                   {"remark", value.description}});
                  })}});
}

const model::Tag* tagOf(const model::Type& type) {
  return type.kind == Kind::list ? tagOf(type.element.front()) : type.tag;
}

/// The tags that a header declares because its structs name them. So it includes no header of another
/// resource.
std::set<std::string> foreignTags(const model::Unit& unit) {
  std::set<std::string> names;
  for (const Struct* type : unit.structs)
    for (const Field& field : type->fields)
      if (const model::Tag* tag = tagOf(field.type)) names.insert(tag->cppName);
  for (const model::Tag* tag : unit.tags)
    names.erase(tag->cppName);
  for (const Struct* type : unit.structs)
    if (type->role == model::Role::resource) names.erase(type->cppName);
  return names;
}

void addUsed(const model::Type& type, std::set<std::string>& names) {
  if (type.object != nullptr) names.insert(type.object->cppName);
  for (const model::Type& element : type.element)
    addUsed(element, names);
}

}  // namespace

Data structData(const model::Description& description, const Struct& type) {
  std::vector<Field> members = type.fields;
  std::erase_if(members, [](const Field& field) { return field.type.kind == Kind::constant; });
  Column column;
  for (const Field& field : members)
    column.add(memberType(field, type) + field.cppName, remark(field, type));
  const bool params = type.role == model::Role::params;
  const Field* object_ = type.find("object");
  return object({{"name", type.cppName},
                 {"doc", params ? std::vector{"Parameters of " + type.description + '.'}
                                : comment(description, type.description, type.provenance)},
                 {"basic", type.borrowable ? model::basicName(type.cppName) : ""},
                 {"object", object_ != nullptr ? literal(object_->constant) : ""},
                 {"value", !params},
                 {"isResource", type.role == model::Role::resource},
                 {"above", !column.fits()},
                 {"members", listOf(members, [&](const Field& field) { return memberData(field, type); })},
                 {"wireName", literal(type.name)},
                 {"table", model::camelCase(type.name) + "Fields"},
                 {"rows", listOf(type.fields, [&](const Field& field) { return row(field, type); })}});
}

Data unitData(const model::Description& description, const model::Unit& unit) {
  std::set<std::string> includes;
  std::set<std::string> used;
  for (const Struct* type : unit.structs)
    for (const Field& field : type->fields) {
      addIncludes(field, *type, includes);
      addUsed(field.type, used);
    }
  return object(
      {{"stem", unit.stem},
       {"includes", includes},
       {"tags", listOf(unit.tags,
                       [](const model::Tag* tag) {
                         return object({{"name", tag->cppName}, {"doc", tag->description}});
                       })},
       {"foreign", foreignTags(unit)},
       {"hasEnums", !unit.enums.empty()},
       {"enums", listOf(unit.enums, [&](const model::Enum* type) { return enumData(description, *type); })},
       {"hasStructs", !unit.structs.empty()},
       {"structs", listOf(unit.structs, [&](const Struct* type) { return structData(description, *type); })},
       {"used", used}});
}

}  // namespace tally::codegen::emit
