#include "model/schema_facts.h"

#include <charconv>
#include <string_view>
#include <utility>

#include "load/provenance.h"

namespace tally::codegen::model {

using load::Node;

namespace {

/// The number in `^[a-z]{3}$`; 0 for any other pattern, which the tables can't check.
std::int64_t lowercaseLetters(std::string_view pattern) {
  constexpr std::string_view start = "^[a-z]{";
  constexpr std::string_view end = "}$";
  if (!pattern.starts_with(start) || !pattern.ends_with(end)) return 0;
  const std::string_view digits = pattern.substr(start.size(), pattern.size() - start.size() - end.size());
  std::int64_t number = 0;
  const auto [stopped, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  constexpr std::int64_t most = 1'000;
  const bool isNumber = failed == std::errc{} && stopped == digits.data() + digits.size();
  return isNumber && number > 0 && number <= most ? number : 0;
}

}  // namespace

std::string typeName(const Node& schema) {
  const Node type = schema["type"];
  if (!type) return {};
  if (type.value().is_string()) return type.text();
  std::string result;
  type.elements([&](const Node& name) {
    if (name.text() != "null" && result.empty()) result = name.text();
  });
  return result;
}

bool mayBeNull(const Node& schema) {
  return textsOf(schema["type"]).contains("null");
}

bool isPlainType(const Node& schema) {
  const Node items = schema["items"];
  return !schema.has("properties") && !schema.has("x-values") && (!items || isPlainType(items));
}

bool isOutside(std::int64_t value, const Field& field) {
  return (field.minimum && value < *field.minimum) || (field.maximum && value > *field.maximum);
}

Field factsOf(const Node& schema, Problems& problems) {
  Field field;
  field.description = schema.text("description");
  field.nullable = mayBeNull(schema);
  field.minimum = schema.integer("minimum");
  field.maximum = schema.integer("maximum");
  field.otherwise = schema.integer("default");
  field.constant = schema.text("const");
  field.lowercaseLetters = lowercaseLetters(schema.text("pattern"));
  schema["items"]["enum"].elements([&](const Node& choice) { field.choices.push_back(choice.text()); });
  if (schema.has("pattern") && field.lowercaseLetters == 0)
    problems.add(schema["pattern"], "unsupported pattern", "make it ^[a-z]{N}$, or remove it");
  if (schema.has("pattern") && (typeName(schema) != "string" || !isPlainType(schema) || schema.has("x-id")))
    problems.add(schema["pattern"], "a pattern on something other than a plain string", "remove it");
  if (field.maximum && !field.minimum)
    problems.add(schema["maximum"], "a maximum without a minimum", "add the minimum");
  if (field.minimum && field.maximum && *field.minimum > *field.maximum)
    problems.add(schema["minimum"], "the minimum is above the maximum", "swap them");
  else if (field.otherwise && isOutside(*field.otherwise, field))
    problems.add(schema["default"], "the default is outside the bounds",
                 "make it a value from the minimum to the maximum");
  return field;
}

Provenance provenanceOf(const load::Documents& documents, const Node& node) {
  load::Attribution found = load::attributionOf(documents, node);
  return {std::move(found.section), std::move(found.assumptions)};
}

std::set<std::string> textsOf(const Node& list) {
  std::set<std::string> result;
  list.elements([&](const Node& element) { result.insert(element.text()); });
  return result;
}

std::string snakeCase(const std::string& pascalCase) {
  std::string result;
  for (const char c : pascalCase) {
    const bool raised = c >= 'A' && c <= 'Z';
    if (raised && !result.empty()) result += '_';
    result += raised ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

}  // namespace tally::codegen::model
