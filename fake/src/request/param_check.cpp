#include "request/param_check.h"

#include <chrono>
#include <limits>
#include <string>

#include "codec/param_name.h"
#include "codec/validation.h"
#include "errors.h"
#include "tables/utf8.h"

namespace tally::fake::detail {

using tally::detail::Field;
using tally::detail::Kind;
using tally::detail::ListAccess;
using tally::detail::paramName;

namespace {

class ParamCheck {
 public:
  ParamCheck(Identifiers identifiers, bool complete) : identifiers_(identifiers), complete_(complete) {}

  Fault all(const Struct& type, const void* params, std::string_view outer) const {
    for (const Field& field : type.fields)
      if (Fault fault = one(type, field, params, outer)) return fault;
    return std::nullopt;
  }

 private:
  Fault one(const Struct& type, const Field& field, const void* params, std::string_view outer) const;
  Fault value(const Field& field, const void* value, const std::string& name) const;
  Fault text(const Field& field, const std::string& text, const std::string& name) const;
  Fault list(const ListAccess& access, const void* list, const std::string& name) const;

  Identifiers identifiers_;
  bool complete_;  // whether required fields must be present
};

std::string rangeOf(const Field& field) {
  if (field.maximum == std::numeric_limits<std::int64_t>::max())
    return "at least " + std::to_string(field.minimum);
  return "from " + std::to_string(field.minimum) + " to " + std::to_string(field.maximum);
}

Fault range(const Field& field, std::int64_t number, const std::string& name) {
  if (number >= field.minimum && number <= field.maximum) return std::nullopt;
  return invalid(name, "must be " + rangeOf(field) + ", not " + std::to_string(number));
}

Fault missing(std::string name) {
  return Refusal{.response = &errors::parameterMissing, .param = std::move(name)};
}

Fault ParamCheck::one(const Struct& type, const Field& field, const void* params,
                      std::string_view outer) const {
  if (field.type.kind == Kind::constant) return std::nullopt;
  const std::string name = paramName(outer, field.name);
  const void* given = field.given(params);
  if (given == nullptr) return field.required && complete_ ? missing(name) : std::nullopt;
  const Field* other = field.excludes.empty() ? nullptr : type.find(field.excludes);
  if (other != nullptr && other->given(params) != nullptr)
    return invalid(name, "can't be combined with '" + paramName(outer, other->name) + "'");
  return value(field, given, name);
}

Fault ParamCheck::value(const Field& field, const void* value, const std::string& name) const {
  switch (field.type.kind) {
    case Kind::text:
      return text(field, tally::detail::textAt(value), name);
    case Kind::string:
      return text(field, *static_cast<const std::string*>(value), name);
    case Kind::integer:
      return range(field, *static_cast<const std::int64_t*>(value), name);
    case Kind::time:
      return range(field, static_cast<const std::chrono::sys_seconds*>(value)->time_since_epoch().count(),
                   name);
    case Kind::object:
      return all(*field.type.object, value, name);
    case Kind::list:
      return list(*field.type.list, value, name);
    default:
      return std::nullopt;
  }
}

Fault ParamCheck::text(const Field& field, const std::string& text, const std::string& name) const {
  if (field.required && complete_ && text.empty()) return missing(name);
  if (!tally::detail::fitsPattern(field, text))
    return invalid(name, "must be " + tally::detail::patternOf(field) + ", not '" + readable(text) + "'");
  if (field.idPrefix.empty() || identifiers_ == Identifiers::unchecked) return std::nullopt;
  if (text.starts_with(field.idPrefix) && text.size() > field.idPrefix.size()) return std::nullopt;
  return invalid(name, "not an identifier that starts with '" + std::string{field.idPrefix} + "'");
}

Fault ParamCheck::list(const ListAccess& access, const void* list, const std::string& name) const {
  if (access.element->kind != Kind::object) return std::nullopt;
  for (std::size_t i = 0; i < access.size(list); ++i) {
    const void* element = access.at(const_cast<void*>(list), i);
    if (Fault fault = all(*access.element->object, element, paramName(name, std::to_string(i)))) return fault;
  }
  return std::nullopt;
}

}  // namespace

Fault checkRead(const Struct& type, const void* params, Identifiers identifiers) {
  return ParamCheck{identifiers, true}.all(type, params, {});
}

Fault checkValues(const Struct& type, const void* object) {
  return ParamCheck{Identifiers::unchecked, false}.all(type, object, {});
}

Fault checkComplete(const Struct& type, std::uint64_t given, std::string_view name) {
  for (const Field& field : type.fields)
    if (field.required && field.type.kind != Kind::constant && (given & type.bitOf(field)) == 0)
      return missing(paramName(name, field.name));
  return std::nullopt;
}

}  // namespace tally::fake::detail
