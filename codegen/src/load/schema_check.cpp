#include "load/schema_check.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tally::codegen::load {

namespace {

struct TypedKey {
  std::string_view name;
  std::string_view type;
  std::string_view of;  // for messages
};

constexpr TypedKey typedKeys[] = {{"minimum", "integer", "an integer"},
                                  {"maximum", "integer", "an integer"},
                                  {"default", "integer", "an integer"},
                                  {"format", "integer", "an integer"},
                                  {"minLength", "string", "a string"},
                                  {"const", "string", "a string"},
                                  {"enum", "string", "a string"},
                                  {"x-id", "string", "a string"},
                                  {"x-values", "string", "a string"},
                                  {"items", "array", "an array"},
                                  {"properties", "object", "an object"},
                                  {"required", "object", "an object"},
                                  {"additionalProperties", "object", "an object"}};

std::vector<std::string> typesOf(const Node& schema) {
  std::vector<std::string> types;
  const Node type = schema["type"];
  if (type && type.value().is_string()) types.push_back(type.text());
  type.elements([&](const Node& each) {
    if (each.value().is_string()) types.push_back(each.text());
  });
  return types;
}

/// Only one of them would be used.
constexpr std::pair<std::string_view, std::string_view> exclusiveKeys[] = {
    {"const", "x-id"},          {"const", "x-values"},
    {"x-id", "x-values"},       {"properties", "additionalProperties"},
    {"x-opaque", "x-resource"}, {"x-opaque", "properties"}};

void checkExclusive(const Node& schema, Problems& problems) {
  for (const auto& [one, other] : exclusiveKeys)
    if (schema.has(one) && schema.has(other))
      problems.add(schema[other], "both " + inQuotes(one) + " and " + inQuotes(other), "keep one of them");
}

/// The first would be ignored without the second.
constexpr std::pair<std::string_view, std::string_view> dependentKeys[] = {
    {"x-states", "x-resource"}, {"x-searchable", "x-resource"}, {"required", "properties"}};

void checkDependent(const Node& schema, Problems& problems) {
  for (const auto& [name, needed] : dependentKeys)
    if (schema.has(name) && !schema.has(needed))
      problems.add(schema[name], inQuotes(name) + " without " + inQuotes(needed),
                   "add " + inQuotes(needed) + ", or remove " + inQuotes(name));
}

/// Elsewhere, these would be ignored.
constexpr std::string_view keysOfComponents[] = {"x-resource", "x-opaque", "x-convention"};

void checkPlace(const Node& schema, std::string_view place, Problems& problems) {
  for (const std::string_view name : keysOfComponents)
    if (schema.has(name) && place != "schemas")
      problems.add(schema[name], inQuotes(name) + " on something other than a component",
                   "move it to a schema in #/components/schemas, or remove it");
  if (schema.has("allOf") && place != "schema")
    problems.add(schema["allOf"], "'allOf' on something other than the response to a list or a search",
                 "write out the properties");
  if (schema.has("enum") && place != "items")
    problems.add(schema["enum"], "an enum on something other than the elements of a list",
                 "make it x-values, or remove it");
}

void checkConvention(const Node& schema, Problems& problems) {
  const std::vector<std::string> conventions = {"list", "search", "error"};
  const Node name = schema["x-convention"];
  if (name && std::ranges::find(conventions, name.text()) == conventions.end())
    problems.add(name, "unknown convention " + inQuotes(name.text()), "make it " + oneOf(conventions));
}

/// Only the first would be used. Metadata may also be an empty text, which unsets all keys.
void checkTypes(const Node& schema, std::vector<std::string> types, Problems& problems) {
  std::erase(types, "null");
  if (types.size() > 1 && !schema.has("x-metadata-edit"))
    problems.add(schema["type"], "more than one type: " + joined(types),
                 "keep one, and null if it may be null");
}

/// Anything else would be ignored.
void checkDefault(const Node& schema, Problems& problems) {
  if (const Node otherwise = schema["default"]; otherwise && !otherwise.value().is_int64())
    problems.add(otherwise, "wrong type", "make it an integer");
}

/// The client and the fake check no other lengths. They refuse an empty required text, and an empty text for
/// metadata unsets all keys.
void checkLengths(const Node& schema, Problems& problems) {
  if (const Node least = schema["minLength"]; least && schema.integer("minLength") != 1)
    problems.add(least, "only the minimum length 1 is supported", "make it 1, or remove it");
  const bool ofMetadata = schema.has("x-metadata-edit") && schema.integer("maxLength") == 0;
  if (const Node most = schema["maxLength"]; most && !ofMetadata)
    problems.add(most, "only the maximum length 0 is supported, next to x-metadata-edit", "remove it");
}

}  // namespace

void checkSchema(const Node& schema, std::string_view place, Problems& problems) {
  checkPlace(schema, place, problems);
  checkConvention(schema, problems);
  const std::vector<std::string> types = typesOf(schema);
  if (types.empty() || schema.has("$ref")) return;
  const auto mayBe = [&](std::string_view type) { return std::ranges::find(types, type) != types.end(); };
  for (const auto& [name, type, of] : typedKeys)
    if (schema.has(name) && !mayBe(type))
      problems.add(schema[name], inQuotes(name) + " on something other than " + std::string{of}, "remove it");
  checkTypes(schema, types, problems);
  checkExclusive(schema, problems);
  checkDependent(schema, problems);
  if (mayBe("integer")) checkDefault(schema, problems);
  checkLengths(schema, problems);
}

}  // namespace tally::codegen::load
