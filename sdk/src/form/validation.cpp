#include "form/validation.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <string_view>

#include "form/param_name.h"
#include "schema/visit.h"
#include "text/ascii.h"

namespace tally::detail {

namespace {

using Fault = std::optional<ParameterFault>;

/// A lookup table, since every header of every request is checked.
constexpr auto headerNameCharacters = [] {
  std::array<bool, 256> allowed{};
  for (std::size_t c = 0x21; c < 0x7F; ++c)
    allowed[c] = true;
  for (const char separator : std::string_view{"\"(),/:;<=>?@[\\]{}"})
    allowed[static_cast<unsigned char>(separator)] = false;
  return allowed;
}();

/// Where a parameter is. Nearly all are valid, so only a fault writes its name.
struct ParamPath {
  const ParamPath* outer = nullptr;
  std::string_view last{};

  [[nodiscard]] std::string name() const {
    return outer == nullptr ? std::string{last} : paramName(outer->name(), last);
  }
};

Fault checkChange(const MetadataEdit::Change& change, const ParamPath& path) {
  if (change.key.empty()) return ParameterFault{path.name(), "a metadata key can't be empty"};
  if (change.key.find_first_of("[]") != std::string::npos)
    return ParameterFault{path.name(), "a metadata key can't contain '[' or ']'"};
  if (!change.unset && change.value.empty())
    return ParameterFault{path.name(), "an empty value would unset the key; to unset it, call unset()"};
  return std::nullopt;
}

Fault checkMetadataEdit(const MetadataEdit& edit, const ParamPath& path) {
  if (edit.unsetsAll() && !edit.changes().empty())
    return ParameterFault{path.name(), "unsetAll() can't be combined with other changes"};
  std::set<std::string_view> keys;
  for (const MetadataEdit::Change& change : edit.changes()) {
    const ParamPath key{&path, change.key};
    if (Fault fault = checkChange(change, key)) return fault;
    if (!keys.insert(change.key).second) return ParameterFault{key.name(), "the key is given twice"};
  }
  return std::nullopt;
}

Fault checkRange(const Field& field, std::int64_t value, const ParamPath& path) {
  if (value >= field.minimum && value <= field.maximum) return std::nullopt;
  std::string range = "at least " + std::to_string(field.minimum);
  if (field.maximum != std::numeric_limits<std::int64_t>::max())
    range = "from " + std::to_string(field.minimum) + " to " + std::to_string(field.maximum);
  return ParameterFault{path.name(), "must be " + range + ", not " + std::to_string(value)};
}

Fault checkText(const Field& field, const std::string& value, const ParamPath& path) {
  if (!field.idPrefix.empty()) return checkId(path.name(), field.idPrefix, value);
  if (field.required && value.empty()) return ParameterFault{path.name(), "is required and can't be empty"};
  if (!fitsPattern(field, value))
    return ParameterFault{path.name(), "must be " + patternOf(field) + ", not '" + value + "'"};
  return std::nullopt;
}

Fault checkObject(ConstObjectRef params, const ParamPath* outer);

/// Checks the value of a field by its type.
struct ValueCheck {
  const Field& field;
  const ParamPath& path;

  Fault operator()(const std::string& value) const { return checkText(field, value, path); }
  Fault operator()(std::int64_t value) const { return checkRange(field, value, path); }
  Fault operator()(std::chrono::sys_seconds value) const {
    return checkRange(field, value.time_since_epoch().count(), path);
  }
  Fault operator()(const MetadataEdit& value) const { return checkMetadataEdit(value, path); }
  Fault operator()(ConstObjectRef value) const { return checkObject(value, &path); }
  Fault operator()(ConstListRef list) const {
    if (list.elementType().kind != Kind::object) return std::nullopt;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string index = std::to_string(i);
      const ParamPath element{&path, index};
      if (Fault fault = checkObject(list[i].object(), &element)) return fault;
    }
    return std::nullopt;
  }
  template <class Value>
  Fault operator()(const Value&) const {
    return std::nullopt;
  }
};

Fault checkField(const Field& field, ConstObjectRef params, const ParamPath* outer) {
  const ParamPath path{outer, field.name};
  const ConstValueRef value = params.given(field);
  if (!value) {
    if (field.required && field.type.kind != Kind::constant)
      return ParameterFault{path.name(), "is required"};
    return std::nullopt;
  }
  const Field* other = field.excludes.empty() ? nullptr : params.type().find(field.excludes);
  if (other != nullptr && params.given(*other))
    return ParameterFault{path.name(), "can't be combined with " + ParamPath{outer, field.excludes}.name()};
  return visit(value, ValueCheck{field, path});
}

Fault checkObject(ConstObjectRef params, const ParamPath* outer) {
  for (const Field& field : params.type().fields)
    if (Fault fault = checkField(field, params, outer)) return fault;
  return std::nullopt;
}

}  // namespace

Fault checkId(std::string_view param, std::string_view prefix, std::string_view id) {
  if (id.empty()) return ParameterFault{std::string{param}, "is empty"};
  if (id.starts_with(prefix) && id.size() > prefix.size()) return std::nullopt;
  return ParameterFault{
      std::string{param},
      "'" + std::string{id} + "' is not an identifier that starts with '" + std::string{prefix} + "'"};
}

bool fitsPattern(const Field& field, std::string_view text) {
  const auto isLowercase = [](char c) { return c >= 'a' && c <= 'z'; };
  return field.lowercaseLetters == 0 ||
         (text.size() == field.lowercaseLetters && std::ranges::all_of(text, isLowercase));
}

std::string patternOf(const Field& field) {
  return std::to_string(field.lowercaseLetters) + " lowercase letters";
}

Fault checkParams(ConstObjectRef params) {
  return checkObject(params, nullptr);
}

bool isHeaderText(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return c != '\t' && isControl(c); });
}

bool isUrlText(std::string_view url) {
  return std::ranges::none_of(url, [](char c) { return c == ' ' || isControl(c); });
}

bool isHeaderName(std::string_view name) {
  const auto mayBeIn = [](char c) { return headerNameCharacters[static_cast<unsigned char>(c)]; };
  return !name.empty() && std::ranges::all_of(name, mayBeIn);
}

bool isParamName(std::string_view name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  const std::size_t begin = std::min(name.find('['), name.size());
  if (begin == 0 || name.substr(0, begin).find_first_not_of(letters) != std::string_view::npos) return false;
  std::string_view keys = name.substr(begin);
  while (!keys.empty()) {
    const std::size_t end = keys.find_first_of("[]", 1);
    if (keys.front() != '[' || end == std::string_view::npos || keys[end] == '[') return false;
    keys.remove_prefix(end + 1);
  }
  return isUrlText(name);
}

}  // namespace tally::detail
