#include "emit/sdk/cpp_types.h"

namespace tally::codegen::emit {

using model::Kind;

std::string cppType(const model::Type& type) {
  switch (type.kind) {
    case Kind::id:
      return "Id<" + type.tag->cppName + '>';
    case Kind::openEnum:
      return "OpenEnum<" + type.values->cppName + '>';
    case Kind::integer:
      return "std::int64_t";
    case Kind::boolean:
      return "bool";
    case Kind::time:
      return "std::chrono::sys_seconds";
    case Kind::object:
      return type.object->cppName;
    case Kind::list:
      return "std::vector<" + cppType(type.element.front()) + '>';
    case Kind::metadata:
      return "Metadata";
    case Kind::metadataEdit:
      return "MetadataEdit";
    case Kind::rawJson:
      return "RawJson";
    case Kind::string:
    case Kind::constant:
      break;
  }
  return "std::string";
}

namespace {

/// Whether callers may give any time, which is then rounded to seconds.
bool isTimestamp(const model::Field& field, const model::Struct& owner) {
  return field.type.kind == Kind::time && owner.role == model::Role::params;
}

}  // namespace

bool isOptional(const model::Field& field, const model::Struct& owner) {
  if (field.type.kind == Kind::metadataEdit) return false;
  if (owner.role == model::Role::params) return field.type.kind != Kind::list;
  return !field.required || field.nullable;
}

std::string memberType(const model::Field& field, const model::Struct& owner) {
  const std::string type = isTimestamp(field, owner) ? "Timestamp" : cppType(field.type);
  return isOptional(field, owner) ? "std::optional<" + type + '>' : type;
}

std::string argumentType(const model::Type& type) {
  switch (type.kind) {
    case Kind::id:
      return "IdArg<" + type.tag->cppName + ">";
    case Kind::openEnum:
      return "std::optional<OpenEnumArg<" + type.values->cppName + ">>";
    case Kind::time:
      return "std::optional<Timestamp>";
    case Kind::integer:
    case Kind::boolean:
      return "std::optional<" + cppType(type) + '>';
    case Kind::metadataEdit:
      return "MetadataArg";
    case Kind::list:
      if (type.element.front().kind == Kind::string) return "TextsArg";
      [[fallthrough]];
    case Kind::object:
    case Kind::metadata:
    case Kind::rawJson:
      return "const " + cppType(type) + '*';
    case Kind::string:
    case Kind::constant:
      break;
  }
  return "std::optional<std::string_view>";
}

void Includes::addMember(const model::Field& field, const model::Struct& owner) {
  if (field.type.kind == Kind::constant) return standard("string_view");
  if (isOptional(field, owner)) standard("optional");
  if (isTimestamp(field, owner)) return tally("timestamp");
  addType(field.type, *owner.unit);
}

void Includes::addType(const model::Type& type, const model::Unit& from) {
  switch (type.kind) {
    case Kind::id:
      return tally("id");
    case Kind::openEnum:
      if (type.values->unit != &from) tally(type.values->unit->stem);
      return tally("open_enum");
    case Kind::integer:
      return standard("cstdint");
    case Kind::time:
      return standard("chrono");
    case Kind::object:
      if (type.object->unit != &from) tally(type.object->unit->stem);
      return;
    case Kind::list:
      standard("vector");
      return addType(type.element.front(), from);
    case Kind::metadata:
    case Kind::metadataEdit:
      return tally("metadata");
    case Kind::rawJson:
      return tally("json");
    case Kind::string:
    case Kind::constant:
      return standard("string");
    case Kind::boolean:
      break;
  }
}

Lines Includes::lines() const {
  Lines result;
  for (const auto* group : {&standard_, &tally_, &own_}) {
    for (const std::string& name : *group)
      result.push_back("#include " + name);
    if (!group->empty()) result.emplace_back();
  }
  return result;
}

}  // namespace tally::codegen::emit
