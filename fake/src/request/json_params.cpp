#include "request/json_params.h"

#include <chrono>
#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "codec/param_name.h"
#include "errors.h"
#include "request/param_check.h"

namespace tally::fake::detail {

using tally::detail::Field;
using tally::detail::Kind;
using tally::detail::paramName;
using tally::detail::Type;

namespace {

using boost::json::value;

std::string text(const boost::json::string& string) {
  return {string.data(), string.size()};
}

Fault put(const Type& type, void* target, const value& json, const std::string& name);

Fault putText(const Type& type, void* target, const value& json, const std::string& name) {
  if (!json.is_string()) return invalid(name, "expected a string");
  std::string& place =
      type.kind == Kind::text ? tally::detail::textAt(target) : *static_cast<std::string*>(target);
  place = text(json.get_string());
  return std::nullopt;
}

Fault putInteger(const Type& type, void* target, const value& json, const std::string& name) {
  if (!json.is_int64()) return invalid(name, "expected an integer");
  if (type.kind == Kind::time) {
    *static_cast<std::chrono::sys_seconds*>(target) =
        std::chrono::sys_seconds{std::chrono::seconds{json.get_int64()}};
  } else {
    *static_cast<std::int64_t*>(target) = json.get_int64();
  }
  return std::nullopt;
}

Fault putBoolean(void* target, const value& json, const std::string& name) {
  if (!json.is_bool()) return invalid(name, "expected true or false");
  *static_cast<bool*>(target) = json.get_bool();
  return std::nullopt;
}

Fault putList(const Type& type, void* target, const value& json, const std::string& name) {
  if (!json.is_array()) return invalid(name, "expected an array");
  std::size_t index = 0;
  for (const value& element : json.get_array())
    if (Fault fault = put(*type.list->element, type.list->append(target), element,
                          paramName(name, std::to_string(index++))))
      return fault;
  return std::nullopt;
}

Fault putMetadata(Metadata& metadata, const value& json, const std::string& name) {
  if (!json.is_object()) return invalid(name, "expected an object of strings");
  for (const auto& [key, entry] : json.get_object()) {
    if (!entry.is_string()) return invalid(paramName(name, key), "expected a string");
    metadata.insert_or_assign(std::string{key}, text(entry.get_string()));
  }
  return std::nullopt;
}

Fault putChange(MetadataEdit& edit, std::string_view key, const value& entry, const std::string& name) {
  if (key.empty()) return invalid(name, "a metadata key can't be empty");
  if (entry.is_null() || (entry.is_string() && entry.get_string().empty())) {
    edit.unset(key);
  } else if (entry.is_string()) {
    edit.set(key, text(entry.get_string()));
  } else {
    return invalid(name, "expected a string");
  }
  return std::nullopt;
}

Fault putEdit(MetadataEdit& edit, const value& json, const std::string& name) {
  if (json.is_null() || (json.is_string() && json.get_string().empty())) {
    edit = MetadataEdit::unsetAll();
    return std::nullopt;
  }
  if (!json.is_object()) return invalid(name, "expected an object of strings, an empty string or null");
  for (const auto& [key, entry] : json.get_object())
    if (Fault fault = putChange(edit, key, entry, paramName(name, key))) return fault;
  return std::nullopt;
}

Fault putObject(const Struct& type, void* object, const value& json, const std::string& outer) {
  if (!json.is_object()) return invalid(outer, "expected an object");
  std::uint64_t given = 0;
  for (const auto& [key, member] : json.get_object()) {
    const std::string name = paramName(outer, key);
    const Field* field = type.find(std::string_view{key});
    if (field == nullptr || field->member == nullptr)
      return Refusal{.response = &errors::parameterUnknown, .param = name};
    if (member.is_null() && field->type.kind != Kind::metadataEdit) continue;
    given |= type.bitOf(*field);
    if (Fault fault = put(field->type, field->type.emplace(field->member(object)), member, name))
      return fault;
  }
  return outer.empty() ? std::nullopt : checkComplete(type, given, outer);
}

Fault put(const Type& type, void* target, const value& json, const std::string& name) {
  switch (type.kind) {
    case Kind::text:
    case Kind::string:
      return putText(type, target, json, name);
    case Kind::integer:
    case Kind::time:
      return putInteger(type, target, json, name);
    case Kind::boolean:
      return putBoolean(target, json, name);
    case Kind::object:
      return putObject(*type.object, target, json, name);
    case Kind::list:
      return putList(type, target, json, name);
    case Kind::metadata:
      return putMetadata(*static_cast<Metadata*>(target), json, name);
    case Kind::metadataEdit:
      return putEdit(*static_cast<MetadataEdit*>(target), json, name);
    case Kind::rawJson:
      static_cast<RawJson*>(target)->text = boost::json::serialize(json);
      return std::nullopt;
    case Kind::constant:
      break;
  }
  return std::nullopt;
}

}  // namespace

Fault readJsonParams(std::string_view json, const Struct& type, void* params) {
  boost::system::error_code failed;
  const value parsed = boost::json::parse({json.data(), json.size()}, failed);
  if (failed) return unreadable("the body is not JSON: " + failed.message());
  if (!parsed.is_object()) return unreadable("the body is not a JSON object");
  return putObject(type, params, parsed, {});
}

}  // namespace tally::fake::detail
