#include "emit/sdk/cpp_types.h"

#include <string_view>

namespace tally::codegen::emit {

namespace {

using model::Kind;

/// How a kind of value appears in C++. `@` is the name of what a Type refers to.
struct Spelling {
  std::string_view type{};
  std::string_view include{};
};

/// By Kind.
constexpr Spelling spellings[] = {{"std::string", "<string>"},
                                  {"Id<@>", "<tally/id.h>"},
                                  {"OpenEnum<@>", "<tally/open_enum.h>"},
                                  {"std::int64_t", "<cstdint>"},
                                  {"bool", ""},
                                  {"std::chrono::sys_seconds", "<chrono>"},
                                  {"@", ""},
                                  {"std::vector<@>", "<vector>"},
                                  {"Metadata", "<tally/metadata.h>"},
                                  {"MetadataEdit", "<tally/metadata.h>"},
                                  {"RawJson", "<tally/json.h>"},
                                  {"SearchQuery<@>", "<tally/search_query.h>"},
                                  {"std::string", "<string>"}};

const Spelling& spellingOf(Kind kind) {
  return spellings[static_cast<std::size_t>(kind)];
}

std::string referredName(const model::Type& type) {
  if (type.tag != nullptr) return type.tag->cppName;
  if (type.values != nullptr) return type.values->cppName;
  if (type.object != nullptr) return type.object->cppName;
  return type.element.empty() ? std::string{} : cppType(type.element.front());
}

std::string filledIn(std::string_view spelling, const model::Type& type) {
  std::string result{spelling};
  if (const auto at = result.find('@'); at != std::string::npos) result.replace(at, 1, referredName(type));
  return result;
}

/// How a member of parameters appears that accepts more than its value, or explains what it does not accept.
const Spelling* argumentSpelling(const model::Field& field, const model::Struct& owner) {
  static constexpr Spelling time{"Timestamp", "<tally/timestamp.h>"};
  static constexpr Spelling integer{"Integer", "<tally/integer.h>"};
  if (owner.role != model::Role::params) return nullptr;
  return field.type.kind == Kind::time ? &time : field.type.kind == Kind::integer ? &integer : nullptr;
}

/// Whether a value is the same in both forms of parameters: a copy of it costs nothing.
bool isNumber(Kind kind) {
  return kind == Kind::integer || kind == Kind::boolean || kind == Kind::time;
}

bool isOptional(const model::Field& field, const model::Struct& owner) {
  if (field.type.kind == Kind::metadataEdit) return false;
  if (owner.role == model::Role::params) return field.type.kind != Kind::list;
  return !field.required || field.nullable;
}

void addTypeIncludes(const model::Type& type, const model::Unit& from, std::set<std::string>& includes) {
  if (const auto own = spellingOf(type.kind).include; !own.empty()) includes.emplace(own);
  const model::Unit* other = type.values != nullptr   ? type.values->unit
                             : type.object != nullptr ? type.object->unit
                                                      : &from;
  if (other != &from) includes.insert("<tally/" + other->stem + ".h>");
  for (const model::Type& element : type.element)
    addTypeIncludes(element, from, includes);
}

}  // namespace

std::string cppType(const model::Type& type) {
  return filledIn(spellingOf(type.kind).type, type);
}

std::string memberType(const model::Field& field, const model::Struct& owner) {
  const Spelling* argument = argumentSpelling(field, owner);
  const std::string type = argument != nullptr ? std::string{argument->type} : cppType(field.type);
  const std::string owned = isOptional(field, owner) ? "std::optional<" + type + '>' : type;
  return owner.borrowable && !isNumber(field.type.kind) ? "Held<O, " + owned + '>' : owned;
}

void addIncludes(const model::Field& field, const model::Struct& owner, std::set<std::string>& includes) {
  if (field.type.kind == Kind::constant) {
    includes.insert("<string_view>");
    return;
  }
  if (owner.borrowable) includes.insert("<tally/borrowed.h>");
  if (isOptional(field, owner)) includes.insert("<optional>");
  if (const Spelling* argument = argumentSpelling(field, owner)) {
    includes.emplace(argument->include);
  } else {
    addTypeIncludes(field.type, *owner.unit, includes);
  }
}

}  // namespace tally::codegen::emit
