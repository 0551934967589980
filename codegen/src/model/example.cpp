#include "model/example.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <boost/json/value.hpp>

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

/// Why `value` can't be the value of `field`, or "" if it can: `is not an integer`.
std::string mismatch(const Field& field, const boost::json::value& value) {
  if (value.is_null()) return field.nullable ? "" : "is null";
  return kindMismatch(field, value);
}

/// Checks a value and all within it. `what` is the value, and `remedy` what to do about it, for messages.
class ValueCheck {
 public:
  ValueCheck(std::string what, std::string remedy, Problems& problems)
      : what_(std::move(what)), remedy_(std::move(remedy)), problems_(problems) {}

  void value(const Node& value, const Field& field) const {
    if (const std::string wrong = mismatch(field, value.value()); !wrong.empty()) return add(value, wrong);
    if (value.value().is_null()) return;
    if (field.type.kind == Kind::object) object(value, *field.type.object);
    if (field.type.kind == Kind::metadata) map(value);
    if (field.type.kind == Kind::list) list(value, field.type.element.front());
  }

  void object(const Node& object, const Struct& type) const {
    if (!object.value().is_object()) return add(object, "is not an object");
    object.members([&](const std::string& name, const Node& member) {
      if (const Field* field = type.find(name)) return value(member, *field);
      add(member, "has a field " + inQuotes(name) + " that is not in " + type.name);
    });
    for (const Field& field : type.fields)
      if (field.required && !object.has(field.name))
        add(object, "lacks the required field " + inQuotes(field.name), "add it");
  }

 private:
  void map(const Node& map) const {
    map.members([&](const std::string&, const Node& member) {
      if (!member.value().is_string()) add(member, "is not a string");
    });
  }

  void list(const Node& list, const Type& type) const {
    Field element{.type = type};
    if (type.tag != nullptr) element.idPrefix = type.tag->idPrefix;
    list.elements([&](const Node& item) { value(item, element); });
  }

  void add(const Node& node, const std::string& wrong) const { add(node, wrong, remedy_); }
  void add(const Node& node, const std::string& wrong, const std::string& remedy) const {
    problems_.add(node, what_ + ' ' + wrong, remedy);
  }

  std::string what_;
  std::string remedy_;
  Problems& problems_;
};

}  // namespace

void checkExample(const Node& example, const Struct& type, Problems& problems) {
  ValueCheck{"the example", "fix the example or its schema", problems}.object(example, type);
}

void checkConstant(const Node& constant, const Field& field, Problems& problems) {
  ValueCheck{"the constant", "give a value of the field's type", problems}.value(constant, field);
}

}  // namespace tally::codegen::model
