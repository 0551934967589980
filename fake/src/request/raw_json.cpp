#include "request/raw_json.h"

#include <optional>

#include "request/json_document.h"

namespace tally::fake::detail {

namespace {

/// Whether values of this kind are, or may contain, JSON of any structure.
bool mayHoldRawJson(Kind kind) {
  return kind == Kind::object || kind == Kind::list || kind == Kind::rawJson;
}

Fault settleFields(ObjectRef object, const std::string& outer);

struct RawJsonSettler {
  const std::string& name;

  /// An empty text stands for null.
  Fault operator()(RawJson& value) const {
    if (value.text.empty()) return std::nullopt;
    return putRawJson(value, std::string{value.text}, name);
  }
  Fault operator()(ObjectRef value) const { return settleFields(value, name); }
  Fault operator()(ListRef list) const {
    if (!mayHoldRawJson(list.elementType().kind)) return std::nullopt;
    for (std::size_t i = 0; i < list.size(); ++i)
      if (Fault fault = visit(list[i], RawJsonSettler{paramName(name, std::to_string(i))})) return fault;
    return std::nullopt;
  }
  template <class Value>
  Fault operator()(Value&) const {
    return std::nullopt;
  }
};

Fault settleFields(ObjectRef object, const std::string& outer) {
  for (const Field& field : object.type().fields) {
    if (!mayHoldRawJson(field.type.kind)) continue;
    const ValueRef value = object.member(field).value();
    if (!value) continue;
    if (Fault fault = visit(value, RawJsonSettler{paramName(outer, field.name)})) return fault;
  }
  return std::nullopt;
}

}  // namespace

Fault putRawJson(RawJson& target, std::string_view text, const std::string& name) {
  const JsonDocument document{text, deepestRawJson};
  if (const auto& problem = document.problem())
    return invalid(name, problem->tooDeep ? problem->what : "expected JSON");
  if (const auto repeated = repeatedName(document.root()))
    return invalid(name, "'" + *repeated + "' is given twice");
  target.text = document.root().text();
  return std::nullopt;
}

Fault settleRawJson(ObjectRef object) {
  return settleFields(object, {});
}

}  // namespace tally::fake::detail
