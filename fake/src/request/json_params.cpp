#include "request/json_params.h"

#include <chrono>
#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "codec/param_name.h"
#include "errors.h"
#include "request/param_check.h"
#include "schema/visit.h"

namespace tally::fake::detail {

using tally::detail::Field;
using tally::detail::Kind;
using tally::detail::ListRef;
using tally::detail::paramName;

namespace {

using boost::json::value;

std::string text(const boost::json::string& string) {
  return {string.data(), string.size()};
}

Fault putChange(MetadataEdit& edit, std::string_view key, const value& entry, const std::string& name) {
  if (entry.is_null() || (entry.is_string() && entry.get_string().empty())) {
    edit.unset(key);
  } else if (entry.is_string()) {
    edit.set(key, text(entry.get_string()));
  } else {
    return invalid(name, "expected a string");
  }
  return std::nullopt;
}

Fault putFields(ObjectRef object, const value& json, const std::string& outer);

/// Puts a JSON value into the parameter `name`.
struct JsonParam {
  const value& json;
  const std::string& name;

  Fault operator()(std::string& target) const {
    if (!json.is_string()) return invalid(name, "expected a string");
    target = text(json.get_string());
    return std::nullopt;
  }

  Fault operator()(std::int64_t& target) const {
    if (!json.is_int64()) return invalid(name, "expected an integer");
    target = json.get_int64();
    return std::nullopt;
  }

  Fault operator()(std::chrono::sys_seconds& target) const {
    if (!json.is_int64()) return invalid(name, "expected an integer");
    target = std::chrono::sys_seconds{std::chrono::seconds{json.get_int64()}};
    return std::nullopt;
  }

  Fault operator()(bool& target) const {
    if (!json.is_bool()) return invalid(name, "expected true or false");
    target = json.get_bool();
    return std::nullopt;
  }

  Fault operator()(RawJson& target) const {
    target.text = boost::json::serialize(json);
    return std::nullopt;
  }

  Fault operator()(ObjectRef target) const { return putFields(target, json, name); }

  Fault operator()(ListRef target) const {
    if (!json.is_array()) return invalid(name, "expected an array");
    std::size_t index = 0;
    for (const value& element : json.get_array())
      if (Fault fault = visit(target.append(), JsonParam{element, paramName(name, std::to_string(index++))}))
        return fault;
    return std::nullopt;
  }

  Fault operator()(Metadata& target) const {
    if (!json.is_object()) return invalid(name, "expected an object of strings");
    for (const auto& [key, entry] : json.get_object()) {
      if (!entry.is_string()) return invalid(paramName(name, key), "expected a string");
      target.insert_or_assign(std::string{key}, text(entry.get_string()));
    }
    return std::nullopt;
  }

  Fault operator()(MetadataEdit& target) const {
    if (json.is_null() || (json.is_string() && json.get_string().empty())) {
      target = MetadataEdit::unsetAll();
      return std::nullopt;
    }
    if (!json.is_object()) return invalid(name, "expected an object of strings, an empty string or null");
    for (const auto& [key, entry] : json.get_object())
      if (Fault fault = putChange(target, key, entry, paramName(name, key))) return fault;
    return std::nullopt;
  }
};

Fault putFields(ObjectRef object, const value& json, const std::string& outer) {
  if (!json.is_object()) return invalid(outer, "expected an object");
  std::uint64_t given = 0;
  for (const auto& [key, member] : json.get_object()) {
    const std::string name = paramName(outer, key);
    const Field* field = object.type().find(std::string_view{key});
    if (field == nullptr || field->member == nullptr)
      return Refusal{.response = &errors::parameterUnknown, .param = name};
    if (member.is_null() && field->type.kind != Kind::metadataEdit) continue;
    given |= object.type().bitOf(*field);
    if (Fault fault = visit(object.member(*field).emplace(), JsonParam{member, name})) return fault;
  }
  return outer.empty() ? std::nullopt : checkComplete(object.type(), given, outer);
}

}  // namespace

Fault readJsonParams(std::string_view json, ObjectRef params) {
  boost::system::error_code failed;
  const value parsed = boost::json::parse({json.data(), json.size()}, failed);
  if (failed) return unreadable("the body is not JSON: " + failed.message());
  if (!parsed.is_object()) return unreadable("the body is not a JSON object");
  return putFields(params, parsed, {});
}

}  // namespace tally::fake::detail
