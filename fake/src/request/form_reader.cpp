#include "request/form_reader.h"

#include <chrono>
#include <map>
#include <span>
#include <string>
#include <unordered_set>

#include "errors.h"
#include "request/form_field_name.h"
#include "request/param_check.h"
#include "request/raw_json.h"
#include "tables/parsed_number.h"
#include "tables/utf8.h"
#include "text/url.h"

namespace tally::fake::detail {

namespace {

using Steps = std::span<const std::string_view>;

/// The number of a list element. Each number has only one spelling, so that `seen_` detects a repeated name.
std::optional<std::size_t> elementNumber(std::string_view step) {
  if (step.size() > 1 && step.front() == '0') return std::nullopt;
  return parsedNumber<std::size_t>(step);
}

class FormReader {
 public:
  explicit FormReader(ObjectRef params) : params_(params) {}

  Fault read(std::string_view form) {
    while (!form.empty()) {
      const std::string_view pair = form.substr(0, form.find('&'));
      form.remove_prefix(pair.size() == form.size() ? pair.size() : pair.size() + 1);
      if (pair.empty()) continue;
      if (Fault fault = readPair(pair)) return fault;
    }
    for (const auto& [name, object] : objects_)
      if (Fault fault = checkComplete(*object.type, object.given, name)) return fault;
    return std::nullopt;
  }

 private:
  struct Object {
    const Struct* type = nullptr;
    std::uint64_t given = 0;  // bit set of fields
  };

  Fault readPair(std::string_view pair) {
    const std::size_t equals = pair.find('=');
    const auto name = tally::detail::formDecode(pair.substr(0, equals));
    const auto value =
        tally::detail::formDecode(equals == std::string_view::npos ? "" : pair.substr(equals + 1));
    if (!name || !value)
      return unreadable("'" + readable(pair) + "' has a '%' that is not followed by two hexadecimal digits");
    if (!isUtf8(*name) || !isUtf8(*value)) return unreadable("'" + readable(pair) + "' is not UTF-8");
    name_ = *name;
    value_ = *value;
    if (name_.empty()) return unreadable("'" + readable(pair) + "' has no name");
    const auto steps = stepsOf(name_);
    if (!steps) return unreadable("the name '" + readable(name_) + "' has unbalanced brackets");
    if (Fault fault = putField(params_, *steps)) return fault;
    if (!name_.ends_with("[]") && !seen_.insert(name_).second) return refuse("given twice");
    return std::nullopt;
  }

  Fault putField(ObjectRef object, Steps steps) {
    const Field* field = object ? object.type().find(steps.front()) : nullptr;
    if (field == nullptr || field->member == nullptr)
      return Refusal{.response = &errors::parameterUnknown, .param = name_};
    noteGiven(object.type(), *field, steps.front());
    return putValue(object.member(*field).make(), steps.subspan(1));
  }

  /// `step` is the part of `name_` that names the field; the name of the object and a bracket precede it.
  void noteGiven(const Struct& type, const Field& field, std::string_view step) {
    const auto outer = static_cast<std::size_t>(step.data() - name_.data());
    if (outer == 0) return;
    Object& object = objects_[name_.substr(0, outer - 1)];
    object.type = &type;
    object.given |= type.bitOf(field);
  }

  Fault putValue(ValueRef value, Steps steps) {
    return visit(value, [&](auto&& target) { return put(target, steps); });
  }

  Fault put(ObjectRef object, Steps steps) {
    if (steps.empty()) return refuse("expected a field of the object, in brackets");
    return putField(object, steps);
  }

  Fault put(ListRef list, Steps steps) {
    if (steps.empty()) return refuse("expected a list: append '[]' to the name");
    const bool objects = list.elementType().kind == Kind::object;
    const std::size_t size = list.size();
    std::size_t index = size;
    if (!steps.front().empty()) {
      const auto number = elementNumber(steps.front());
      if (!number || *number > size) return refuse("list elements must be numbered consecutively from 0");
      if (*number < size && !objects) return refuse("given twice");
      index = *number;
    } else if (objects) {
      return refuse("expected object elements numbered from 0");
    }
    return putValue(index < size ? list[index] : list.append(), steps.subspan(1));
  }

  Fault checkKey(Steps steps) const {
    if (steps.size() > 1) return refuse("a metadata key must be a single name in brackets");
    if (steps.size() == 1 && steps.front().empty()) return refuse("a metadata key can't be empty");
    return std::nullopt;
  }

  Fault put(Metadata& metadata, Steps steps) {
    if (Fault fault = checkKey(steps)) return fault;
    if (steps.empty()) return refuse("expected keys in brackets");
    metadata.insert_or_assign(std::string{steps.front()}, value_);
    return std::nullopt;
  }

  Fault put(MetadataEdit& edit, Steps steps) {
    if (Fault fault = checkKey(steps)) return fault;
    if (steps.empty() && !value_.empty()) return refuse("expected keys in brackets, or an empty value");
    if (steps.empty() ? !edit.empty() : edit.unsetsAll())
      return refuse("unsetting all keys can't be combined with other changes");
    if (steps.empty()) {
      edit = MetadataEdit::unsetAll();
    } else if (value_.empty()) {
      edit.unset(steps.front());
    } else {
      edit.set(steps.front(), value_);
    }
    return std::nullopt;
  }

  template <class Scalar>
  Fault put(Scalar& value, Steps steps) {
    if (!steps.empty()) return refuse("expected a single value, without brackets");
    return putScalar(value);
  }

  Fault putScalar(std::string& value) {
    value = value_;
    return std::nullopt;
  }

  Fault putScalar(std::int64_t& value) {
    const auto number = parsedNumber<std::int64_t>(value_);
    if (!number) return refuse("expected an integer");
    value = *number;
    return std::nullopt;
  }

  Fault putScalar(std::chrono::sys_seconds& value) {
    const auto number = parsedNumber<std::int64_t>(value_);
    if (!number) return refuse("expected whole seconds since the epoch");
    value = std::chrono::sys_seconds{std::chrono::seconds{*number}};
    return std::nullopt;
  }

  Fault putScalar(bool& value) {
    if (value_ != "true" && value_ != "false") return refuse("expected true or false");
    value = value_ == "true";
    return std::nullopt;
  }

  Fault putScalar(RawJson& value) { return putRawJson(value, value_, name_); }

  Fault refuse(std::string detail) const { return invalid(name_, std::move(detail)); }

  ObjectRef params_;
  std::string name_{};   // of the pair being read
  std::string value_{};  // of the pair being read
  std::unordered_set<std::string> seen_{};
  std::map<std::string, Object> objects_{};  // objects among the parameters, by name
};

}  // namespace

Fault readForm(std::string_view form, ObjectRef params) {
  if (form.empty()) return std::nullopt;
  return FormReader{params}.read(form);
}

}  // namespace tally::fake::detail
