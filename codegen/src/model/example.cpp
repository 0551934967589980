#include "model/example.h"

#include <algorithm>
#include <iterator>

namespace tally::codegen::model {

using load::Node;

namespace {

std::string rangeMismatch(const Field& field, std::int64_t value) {
  if (field.minimum && value < *field.minimum) return "is below the minimum";
  if (field.maximum && value > *field.maximum) return "is above the maximum";
  return {};
}

std::string textMismatch(const Field& field, const boost::json::string& text) {
  if (field.type.kind == Kind::constant && text != field.constant)
    return "is not " + inQuotes(field.constant);
  if (field.type.kind == Kind::id && !std::string_view{text}.starts_with(field.idPrefix))
    return "does not begin with " + inQuotes(field.idPrefix);
  const auto isLowercase = [](char c) { return c >= 'a' && c <= 'z'; };
  if (field.lowercaseLetters != 0 &&
      (std::ssize(text) != field.lowercaseLetters || !std::all_of(text.begin(), text.end(), isLowercase)))
    return "does not match the pattern";
  return {};
}

std::string kindMismatch(const Field& field, const boost::json::value& value) {
  switch (field.type.kind) {
    case Kind::string:
    case Kind::id:
    case Kind::openEnum:
    case Kind::query:
    case Kind::constant:
      return value.is_string() ? textMismatch(field, value.get_string()) : "is not a string";
    case Kind::integer:
    case Kind::time:
      return value.is_int64() ? rangeMismatch(field, value.get_int64()) : "is not an integer";
    case Kind::boolean:
      return value.is_bool() ? "" : "is neither true nor false";
    case Kind::list:
      return value.is_array() ? "" : "is not a list";
    case Kind::object:
    case Kind::metadata:
    case Kind::metadataEdit:
    case Kind::rawJson:
      break;
  }
  return value.is_object() ? "" : "is not an object";
}

void checkMap(const Node& map, Problems& problems) {
  map.members([&](const std::string&, const Node& value) {
    if (!value.value().is_string())
      problems.add(value, "the example is not a string", "fix the example or its schema");
  });
}

void checkValue(const Node& value, const Field& field, Problems& problems) {
  if (const std::string wrong = mismatch(field, value.value()); !wrong.empty())
    return problems.add(value, "the example " + wrong, "fix the example or its schema");
  if (value.value().is_null()) return;
  if (field.type.kind == Kind::object) checkExample(value, *field.type.object, problems);
  if (field.type.kind == Kind::metadata) checkMap(value, problems);
  if (field.type.kind != Kind::list) return;
  Field element{.type = field.type.element.front()};
  if (element.type.tag != nullptr) element.idPrefix = element.type.tag->idPrefix;
  value.elements([&](const Node& item) { checkValue(item, element, problems); });
}

}  // namespace

std::string mismatch(const Field& field, const boost::json::value& value) {
  if (value.is_null()) return field.nullable ? "" : "is null";
  return kindMismatch(field, value);
}

void checkExample(const Node& example, const Struct& type, Problems& problems) {
  if (!example.value().is_object())
    return problems.add(example, "the example is not an object", "fix the example");
  example.members([&](const std::string& name, const Node& value) {
    if (const Field* field = type.find(name)) return checkValue(value, *field, problems);
    problems.add(value, "the example has a field " + inQuotes(name) + " that is not in " + type.name,
                 "fix the example or its schema");
  });
  for (const Field& field : type.fields)
    if (field.required && !example.has(field.name))
      problems.add(example, "the example lacks the required field " + inQuotes(field.name), "add it");
}

}  // namespace tally::codegen::model
