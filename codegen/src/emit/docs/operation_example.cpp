#include "emit/docs/operation_example.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
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
  std::string key{};  // in brackets, after the name in a form
};

Value textValue(const std::string& text) {
  return {.cpp = '"' + text + '"', .json = '"' + text + '"'};
}

std::string exampleText(const Field& field) {
  constexpr std::string_view letters = "usdabcdefgh";
  if (field.lowercaseLetters != 0)
    return std::string{letters.substr(0, static_cast<std::size_t>(field.lowercaseLetters))};
  return field.choices.empty() ? "a text" : field.choices.front();
}

/// Nothing for what has no short example.
std::optional<Value> exampleOf(const Field& field) {
  constexpr std::int64_t usual = 1000;
  switch (field.type.kind) {
    case Kind::id:
      return textValue(field.type.tag->idPrefix + '1');
    case Kind::time:
      return Value{.cpp = "std::chrono::system_clock::now()", .json = "1767225600"};
    case Kind::integer: {
      const std::string number =
          std::to_string(std::clamp(usual, field.minimum.value_or(std::numeric_limits<std::int64_t>::min()),
                                    field.maximum.value_or(std::numeric_limits<std::int64_t>::max())));
      return Value{.cpp = number, .json = number};
    }
    case Kind::boolean:
      return Value{.cpp = "true", .json = "true"};
    case Kind::metadata:
    case Kind::metadataEdit:
      return Value{.cpp = R"({{"order", "42"}})", .json = R"({"order": "42"})", .key = "order"};
    case Kind::openEnum: {
      const model::EnumValue& first = field.type.values->values.front();
      return Value{.cpp = "tally::" + field.type.values->cppName + "::" + first.cppName,
                   .json = '"' + first.text + '"'};
    }
    case Kind::string:
      return textValue(exampleText(field));
    case Kind::object:
    case Kind::list:
    case Kind::rawJson:
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
      return {.cpp = " > std::chrono::sys_days{std::chrono::January / 1 / 2026}", .text = ">1767225600"};
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

/// The parameters that a call needs. If it needs none, the first one with an example.
std::vector<Field> shownFields(const model::Operation& operation) {
  std::vector<Field> shown;
  if (operation.params == nullptr) return shown;
  for (const Field& field : operation.params->fields)
    if (field.required && exampleOf(field)) shown.push_back(field);
  if (!shown.empty()) return shown;
  for (const Field& field : operation.params->fields)
    if (shown.empty() && exampleOf(field)) shown.push_back(field);
  return shown;
}

std::string unquoted(const std::string& json) {
  return json.starts_with('"') ? json.substr(1, json.size() - 2) : json;
}

/// The parameters as they are written in a query or a form, before they are encoded.
std::string formOf(const model::Operation& operation) {
  std::string form;
  for (const Field& field : shownFields(operation)) {
    const Value value = *exampleOf(field);
    form += form.empty() ? "" : "&";
    form +=
        value.key.empty() ? field.name + '=' + unquoted(value.json) : field.name + '[' + value.key + "]=42";
  }
  return form;
}

std::string jsonOf(const model::Operation& operation) {
  std::string json;
  for (const Field& field : shownFields(operation))
    json += (json.empty() ? "\"" : ", \"") + field.name + "\": " + exampleOf(field)->json;
  return '{' + json + '}';
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
  std::string members;
  for (const Field& field : shownFields(operation))
    members += (members.empty() ? "." : ", .") + field.cppName + " = " + exampleOf(field)->cpp;
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
  const std::string body = operation.body == model::Body::json ? jsonOf(operation) : formOf(operation);
  return "POST " + path + (body.empty() ? "" : "\n\n" + body);
}

}  // namespace tally::codegen::emit
