#include "emit/docs/operation_example.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "emit/sdk/search_fields.h"

namespace tally::codegen::emit {

namespace {

using model::Field;
using model::Kind;

/// An example of a value.
struct Value {
  std::string cpp{};
  std::string json{};
  // In a form, what follows the name, such as `[order]`, and the text; of each part of the value.
  std::vector<std::pair<std::string, std::string>> form{};
};

constexpr const char* newYear = "std::chrono::sys_days{std::chrono::January / 1 / 2026}";

std::string unquoted(const std::string& json) {
  return json.starts_with('"') ? json.substr(1, json.size() - 2) : json;
}

Value plainValue(const std::string& cpp, const std::string& json) {
  return {.cpp = cpp, .json = json, .form = {{"", unquoted(json)}}};
}

Value textValue(const std::string& text) {
  return plainValue('"' + text + '"', '"' + text + '"');
}

std::string exampleText(const Field& field) {
  constexpr std::string_view letters = "usdabcdefgh";
  if (field.lowercaseLetters == 0) return field.choices.empty() ? "a text" : field.choices.front();
  std::string text;
  while (std::ssize(text) < field.lowercaseLetters)
    text += letters[text.size() % letters.size()];
  return text;
}

Value exampleOfParts(const model::Struct& type);
Value exampleOfList(const Field& list);

Value exampleOfObject(const model::Struct& type) {
  Value value = exampleOfParts(type);
  value.cpp = "tally::" + type.cppName + '{' + value.cpp + '}';
  for (auto& [name, text] : value.form) {
    const std::size_t end = std::min(name.find('['), name.size());
    name = '[' + name.substr(0, end) + ']' + name.substr(end);
  }
  return value;
}

/// Nothing for what has no example.
std::optional<Value> exampleOf(const Field& field) {
  constexpr std::int64_t usual = 1000;
  switch (field.type.kind) {
    case Kind::id:
      return textValue(field.type.tag->idPrefix + '1');
    case Kind::time:
      return plainValue(newYear, "1767225600");
    case Kind::integer: {
      const std::string number =
          std::to_string(std::clamp(usual, field.minimum.value_or(std::numeric_limits<std::int64_t>::min()),
                                    field.maximum.value_or(std::numeric_limits<std::int64_t>::max())));
      return plainValue(number, number);
    }
    case Kind::boolean:
      return plainValue("true", "true");
    case Kind::metadata:
    case Kind::metadataEdit:
      return Value{.cpp = R"({{"order", "42"}})", .json = R"({"order": "42"})", .form = {{"[order]", "42"}}};
    case Kind::openEnum: {
      const model::EnumValue& first = field.type.values->values.front();
      return plainValue("tally::" + field.type.values->cppName + "::" + first.cppName,
                        '"' + first.text + '"');
    }
    case Kind::string:
      return textValue(exampleText(field));
    case Kind::object:
      return exampleOfObject(*field.type.object);
    case Kind::list:
      return exampleOfList(field);
    case Kind::rawJson:
      return Value{
          .cpp = R"x(tally::RawJson{R"({"a": "b"})"})x", .json = R"({"a": "b"})", .form = {{"[a]", "b"}}};
    case Kind::query:  // depends on the resource
    case Kind::constant:
      break;
  }
  return std::nullopt;
}

/// The comparison of a field in an example of a query, in C++ and in the query language.
struct Comparison {
  std::string cpp{};
  std::string text{};
};

Comparison equality(const Value& value) {
  return {.cpp = " == " + value.cpp, .text = ':' + value.json};
}

Comparison comparisonOf(const Field& field) {
  switch (field.type.kind) {
    case Kind::time:
      return {.cpp = " > " + std::string{newYear}, .text = ">1767225600"};
    case Kind::boolean:
      return {.cpp = " == true", .text = R"(:"true")"};
    case Kind::metadata:
      return {.cpp = R"(("order") == "42")", .text = R"(["order"]:"42")"};
    default:
      return equality(exampleOf(field).value_or(textValue("a text")));
  }
}

/// An example of a query: when an object was created, if queries can express that.
Comparison exampleQuery(const model::Resource& resource) {
  const auto created = std::ranges::find(resource.searchable, "created");
  const std::string& path = created == resource.searchable.end() ? resource.searchable.front() : *created;
  const Comparison comparison = comparisonOf(*resource.model->at(path));
  const std::string field = resource.searchFieldsType() + "::" + searchFieldName(*resource.model, path);
  return {.cpp = "tally::" + field + comparison.cpp, .text = path + comparison.text};
}

bool isShort(const Field& field) {
  const Kind kind = field.type.kind;
  return kind != Kind::object && kind != Kind::list && kind != Kind::rawJson;
}

/// The fields that a value needs. If it needs none, the first one with a short example.
std::vector<Field> shownFields(const model::Struct& type) {
  std::vector<Field> shown;
  for (const Field& field : type.fields)
    if (field.required && exampleOf(field)) shown.push_back(field);
  if (!shown.empty()) return shown;
  for (const Field& field : type.fields)
    if (shown.empty() && isShort(field) && exampleOf(field)) shown.push_back(field);
  return shown;
}

/// In C++ the members, without the type that has them; in a form the names and texts.
Value exampleOfParts(const model::Struct& type) {
  Value value;
  for (const Field& field : shownFields(type)) {
    Value part = *exampleOf(field);
    if (type.role == model::Role::params && field.type.kind == Kind::time)
      part.cpp = "std::chrono::system_clock::now()";
    value.cpp += (value.cpp.empty() ? "." : ", .") + field.cppName + " = " + part.cpp;
    value.json += (value.json.empty() ? "\"" : ", \"") + field.name + "\": " + part.json;
    for (const auto& [suffix, text] : part.form)
      value.form.emplace_back(field.name + suffix, text);
  }
  value.json = '{' + value.json + '}';
  return value;
}

Value exampleOfList(const Field& list) {
  Value value = exampleOf({.type = list.type.element.front(), .choices = list.choices}).value_or(Value{});
  value.cpp = '{' + value.cpp + '}';
  value.json = '[' + value.json + ']';
  for (auto& [suffix, text] : value.form)
    suffix.insert(0, list.type.element.front().kind == Kind::object ? "[0]" : "[]");
  return value;
}

Value exampleOf(const model::Operation& operation) {
  return operation.params == nullptr ? Value{.json = "{}"} : exampleOfParts(*operation.params);
}

/// The parameters as they are written in a query or a form, before they are encoded.
std::string formOf(const model::Operation& operation) {
  std::string form;
  for (const auto& [name, text] : exampleOf(operation).form)
    form += (form.empty() ? "" : "&") + name + '=' + text;
  return form;
}

}  // namespace

std::string signatureOf(const model::Resource& resource, const model::Operation& operation) {
  std::string text = operation.pages() ? "Pager<" : "Result<";
  text += resource.model->cppName + "> " + operation.method + '(';
  if (operation.hasId()) text += "const Id<" + resource.model->cppName + ">& id, ";
  if (operation.params != nullptr)
    text += "const " + operation.params->cppName + "& params" + (operation.needsParams() ? ", " : " = {}, ");
  return text + "const RequestOptions& options = {})";
}

std::string exampleCall(const model::Resource& resource, const model::Operation& operation) {
  const std::string method = "client." + resource.accessor + "()." + operation.method + '(';
  if (operation.kind == model::OperationKind::search) return method + exampleQuery(resource).cpp + ");";
  std::string arguments;
  if (operation.hasId()) arguments = '"' + resource.tag->idPrefix + "1\"";
  const std::string members = exampleOf(operation).cpp;
  if (!members.empty()) arguments += (arguments.empty() ? "{" : ", {") + members + '}';
  return method + arguments + ");";
}

std::string exampleRequest(const model::Resource& resource, const model::Operation& operation) {
  std::string path = operation.path;
  const std::string id = "{id}";
  if (const std::size_t place = path.find(id); place != std::string::npos)
    path.replace(place, id.size(), resource.tag->idPrefix + '1');
  if (operation.kind == model::OperationKind::search)
    return "GET " + path + "?query=" + exampleQuery(resource).text;
  if (!operation.post) {
    const std::string query = formOf(operation);
    return "GET " + path + (query.empty() ? "" : '?' + query);
  }
  const std::string body =
      operation.body == model::Body::json ? exampleOf(operation).json : formOf(operation);
  return "POST " + path + (body.empty() ? "" : "\n\n" + body);
}

}  // namespace tally::codegen::emit
