#include "request/param_check.h"

#include <chrono>
#include <limits>
#include <string>

#include "errors.h"
#include "form/validation.h"
#include "tables/utf8.h"

namespace tally::fake::detail {

namespace {

class ParamCheck {
 public:
  ParamCheck(Identifiers identifiers, bool complete) : identifiers_(identifiers), complete_(complete) {}

  Fault all(ConstObjectRef params, std::string_view outer) const {
    for (const Field& field : params.type().fields)
      if (Fault fault = one(field, params, outer)) return fault;
    return std::nullopt;
  }

  Fault text(const Field& field, const std::string& text, const std::string& name) const;

 private:
  Fault one(const Field& field, ConstObjectRef params, std::string_view outer) const;

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

/// A form names a key in brackets, so it could neither set nor unset these.
Fault metadataKey(std::string_view key, const std::string& name) {
  if (key.empty()) return invalid(paramName(name, key), "a metadata key can't be empty");
  if (key.find_first_of("[]") != std::string_view::npos)
    return invalid(paramName(name, key), "a metadata key can't contain '[' or ']'");
  return std::nullopt;
}

struct ParamValueCheck {
  const ParamCheck& check;
  const Field& field;
  const std::string& name;

  Fault operator()(const std::string& value) const { return check.text(field, value, name); }
  Fault operator()(std::int64_t value) const { return range(field, value, name); }
  Fault operator()(std::chrono::sys_seconds value) const {
    return range(field, value.time_since_epoch().count(), name);
  }
  Fault operator()(ConstObjectRef value) const { return check.all(value, name); }
  Fault operator()(ConstListRef list) const {
    if (list.elementType().kind != Kind::object) return std::nullopt;
    for (std::size_t i = 0; i < list.size(); ++i)
      if (Fault fault = check.all(list[i].object(), paramName(name, std::to_string(i)))) return fault;
    return std::nullopt;
  }
  Fault operator()(const Metadata& metadata) const {
    for (const auto& [key, value] : metadata)
      if (Fault fault = metadataKey(key, name)) return fault;
    return std::nullopt;
  }
  Fault operator()(const MetadataEdit& edit) const {
    for (const MetadataEdit::Change& change : edit.changes())
      if (Fault fault = metadataKey(change.key, name)) return fault;
    return std::nullopt;
  }
  template <class Value>
  Fault operator()(const Value&) const {
    return std::nullopt;
  }
};

Fault ParamCheck::one(const Field& field, ConstObjectRef params, std::string_view outer) const {
  if (field.type.kind == Kind::constant) return std::nullopt;
  const std::string name = paramName(outer, field.name);
  const ConstValueRef given = params.given(field);
  if (!given) return field.required && complete_ ? missing(name) : std::nullopt;
  const Field* other = field.excludes.empty() ? nullptr : params.type().find(field.excludes);
  if (other != nullptr && params.given(*other))
    return invalid(name, "can't be combined with '" + paramName(outer, other->name) + "'");
  return visit(given, ParamValueCheck{*this, field, name});
}

Fault ParamCheck::text(const Field& field, const std::string& text, const std::string& name) const {
  if (field.required && complete_ && text.empty()) return missing(name);
  if (!tally::detail::fitsPattern(field, text))
    return invalid(name, "must be " + tally::detail::patternOf(field) + ", not '" + readable(text) + "'");
  if (field.idPrefix.empty() || identifiers_ == Identifiers::unchecked) return std::nullopt;
  if (text.starts_with(field.idPrefix) && text.size() > field.idPrefix.size()) return std::nullopt;
  return invalid(name, "not an identifier that starts with '" + std::string{field.idPrefix} + "'");
}

}  // namespace

Fault checkRead(ConstObjectRef params, Identifiers identifiers) {
  return ParamCheck{identifiers, true}.all(params, {});
}

Fault checkValues(ConstObjectRef object) {
  return ParamCheck{Identifiers::unchecked, false}.all(object, {});
}

Fault checkComplete(const Struct& type, std::uint64_t given, std::string_view name) {
  for (const Field& field : type.fields)
    if (field.required && field.type.kind != Kind::constant && (given & type.bitOf(field)) == 0)
      return missing(paramName(name, field.name));
  return std::nullopt;
}

}  // namespace tally::fake::detail
