#include "form/form_writer.h"

#include <algorithm>
#include <chrono>

#include "form/param_name.h"
#include "schema/visit.h"
#include "text/decimal.h"
#include "text/url.h"

namespace tally::detail {

namespace {

/// Appends a value as the pairs of `name`.
struct FormValueWriter {
  std::string& out;
  std::string_view name;

  void operator()(const std::string& value) const { writeFormPair(out, name, value); }
  void operator()(std::int64_t value) const {
    std::string digits;
    appendDecimal(digits, value);
    writeFormPair(out, name, digits);
  }
  void operator()(bool value) const { writeFormPair(out, name, value ? "true" : "false"); }
  void operator()(std::chrono::sys_seconds value) const {
    (*this)(std::int64_t{value.time_since_epoch().count()});
  }
  void operator()(const RawJson& value) const { writeFormPair(out, name, value.text); }

  void operator()(const Metadata& metadata) const {
    for (const auto& [key, value] : metadata)
      writeFormPair(out, paramName(name, key), value);
  }

  void operator()(const MetadataEdit& edit) const {
    if (edit.unsetsAll()) writeFormPair(out, name, "");
    for (const MetadataEdit::Change& change : edit.changes())
      writeFormPair(out, paramName(name, change.key), change.value);
  }

  void operator()(ConstObjectRef object) const {
    for (const Field& field : object.type().fields)
      if (const ConstValueRef value = object.given(field))
        visit(value, FormValueWriter{out, paramName(name, field.name)});
  }

  /// Scalars as `expand[]=…`; objects by index, which shows which fields belong together.
  void operator()(ConstListRef list) const {
    const bool objects = list.elementType().kind == Kind::object;
    for (std::size_t i = 0; i < list.size(); ++i)
      visit(list[i], FormValueWriter{out, paramName(name, objects ? std::to_string(i) : std::string{})});
  }
};

}  // namespace

void writeFormPair(std::string& out, std::string_view name, std::string_view value) {
  if (!out.empty()) out += '&';
  percentEncode(out, name);
  out += '=';
  percentEncode(out, value);
}

void writeForm(std::string& out, ConstObjectRef params, std::initializer_list<std::string_view> except) {
  for (const Field& field : params.type().fields) {
    if (std::ranges::find(except, field.name) != except.end()) continue;
    if (const ConstValueRef value = params.given(field)) visit(value, FormValueWriter{out, field.name});
  }
}

}  // namespace tally::detail
