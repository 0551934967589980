#include "request/json_params.h"

#include <chrono>
#include <string>
#include <unordered_set>

#include "errors.h"
#include "request/json_document.h"
#include "request/param_check.h"
#include "request/raw_json.h"

namespace tally::fake::detail {

namespace {

bool isEmptyText(const JsonValue& json) {
  return json.isString() && json.is("");
}

Fault givenTwice(std::string name) {
  return invalid(std::move(name), "given twice");
}

Fault putChange(MetadataEdit& edit, const std::string& key, const JsonValue& entry, const std::string& name) {
  if (entry.isNull() || isEmptyText(entry)) {
    edit.unset(key);
  } else if (entry.isString()) {
    edit.set(key, entry.string());
  } else {
    return invalid(name, "expected a string");
  }
  return std::nullopt;
}

Fault putFields(ObjectRef object, const JsonValue& json, const std::string& outer);

/// Calls `put` with each key, its value and its name as a parameter.
template <class Put>
Fault forEachKey(const JsonValue& json, const std::string& outer, const Put& put) {
  std::unordered_set<std::string> seen;
  for (const auto& [key, entry] : json.members()) {
    const std::string text = key.string();
    std::string name = paramName(outer, text);
    if (!seen.insert(text).second) return givenTwice(std::move(name));
    if (Fault fault = put(text, entry, name)) return fault;
  }
  return std::nullopt;
}

/// Puts a JSON value into the parameter `name`.
struct JsonParam {
  const JsonValue& json;
  const std::string& name;

  Fault operator()(std::string& target) const {
    if (!json.isString()) return invalid(name, "expected a string");
    target = json.string();
    return std::nullopt;
  }

  Fault operator()(std::int64_t& target) const {
    const auto number = json.integer();
    if (!number) return invalid(name, "expected an integer");
    target = *number;
    return std::nullopt;
  }

  Fault operator()(std::chrono::sys_seconds& target) const {
    const auto number = json.integer();
    if (!number) return invalid(name, "expected an integer");
    target = std::chrono::sys_seconds{std::chrono::seconds{*number}};
    return std::nullopt;
  }

  Fault operator()(bool& target) const {
    if (!json.isBoolean()) return invalid(name, "expected true or false");
    target = json.boolean();
    return std::nullopt;
  }

  Fault operator()(RawJson& target) const { return putRawJson(target, json.text(), name); }

  Fault operator()(ObjectRef target) const { return putFields(target, json, name); }

  Fault operator()(ListRef target) const {
    if (!json.isArray()) return invalid(name, "expected an array");
    std::size_t index = 0;
    for (const JsonValue& element : json.elements())
      if (Fault fault = visit(target.append(), JsonParam{element, paramName(name, std::to_string(index++))}))
        return fault;
    return std::nullopt;
  }

  Fault operator()(Metadata& target) const {
    if (!json.isObject()) return invalid(name, "expected an object of strings");
    return forEachKey(
        json, name,
        [&](const std::string& key, const JsonValue& entry, const std::string& entryName) -> Fault {
          if (!entry.isString()) return invalid(entryName, "expected a string");
          target.insert_or_assign(key, entry.string());
          return std::nullopt;
        });
  }

  Fault operator()(MetadataEdit& target) const {
    if (json.isNull() || isEmptyText(json)) {
      target = MetadataEdit::unsetAll();
      return std::nullopt;
    }
    if (!json.isObject()) return invalid(name, "expected an object of strings, an empty string or null");
    return forEachKey(json, name,
                      [&](const std::string& key, const JsonValue& entry, const std::string& entryName) {
                        return putChange(target, key, entry, entryName);
                      });
  }
};

Fault putFields(ObjectRef object, const JsonValue& json, const std::string& outer) {
  if (!json.isObject()) return invalid(outer, "expected an object");
  std::uint64_t given = 0;
  std::uint64_t seen = 0;  // also those that are null
  for (const auto& [key, member] : json.members()) {
    const std::string text = key.string();
    const std::string name = paramName(outer, text);
    const Field* field = object.type().find(text);
    if (field == nullptr || field->member == nullptr)
      return Refusal{.response = &errors::parameterUnknown, .param = name};
    const std::uint64_t bit = object.type().bitOf(*field);
    if ((seen & bit) != 0) return givenTwice(name);
    seen |= bit;
    if (member.isNull() && field->type.kind != Kind::metadataEdit) continue;
    given |= bit;
    if (Fault fault = visit(object.member(*field).emplace(), JsonParam{member, name})) return fault;
  }
  return outer.empty() ? std::nullopt : checkComplete(object.type(), given, outer);
}

}  // namespace

Fault readJsonParams(std::string_view json, ObjectRef params) {
  const JsonDocument document{json};
  if (const auto& problem = document.problem()) {
    if (problem->tooDeep && !problem->place.empty()) return invalid(problem->place.front(), problem->what);
    return unreadable("the body is not JSON: " + problem->what);
  }
  if (!document.root().isObject()) return unreadable("the body is not a JSON object");
  return putFields(params, document.root(), {});
}

}  // namespace tally::fake::detail
