#include "codec/form_writer.h"

#include <algorithm>
#include <chrono>

#include "codec/param_name.h"
#include "text/decimal.h"
#include "text/url.h"

namespace tally::detail {

namespace {

void writeInteger(std::string& out, std::string_view name, std::int64_t value) {
  std::string digits;
  appendDecimal(digits, value);
  writeFormPair(out, name, digits);
}

void writeMetadataEdit(std::string& out, std::string_view name, const MetadataEdit& edit) {
  if (edit.unsetsAll()) writeFormPair(out, name, "");
  for (const MetadataEdit::Change& change : edit.changes())
    writeFormPair(out, paramName(name, change.key), change.value);
}

void writeMetadata(std::string& out, std::string_view name, const Metadata& metadata) {
  for (const auto& [key, value] : metadata)
    writeFormPair(out, paramName(name, key), value);
}

void writeStruct(std::string& out, const Struct& type, const void* object, std::string_view outer);
void writeValue(std::string& out, std::string_view name, const Type& type, const void* value);

/// Scalars as `expand[]=…`; objects by index, which shows which fields belong together.
void writeList(std::string& out, std::string_view name, const ListAccess& list, const void* value) {
  const bool objects = list.element->kind == Kind::object;
  for (std::size_t i = 0; i < list.size(value); ++i) {
    const void* element = list.at(const_cast<void*>(value), i);
    writeValue(out, paramName(name, objects ? std::to_string(i) : std::string{}), *list.element, element);
  }
}

void writeValue(std::string& out, std::string_view name, const Type& type, const void* value) {
  switch (type.kind) {
    case Kind::text:
      return writeFormPair(out, name, textAt(value));
    case Kind::string:
      return writeFormPair(out, name, *static_cast<const std::string*>(value));
    case Kind::integer:
      return writeInteger(out, name, *static_cast<const std::int64_t*>(value));
    case Kind::boolean:
      return writeFormPair(out, name, *static_cast<const bool*>(value) ? "true" : "false");
    case Kind::time:
      return writeInteger(out, name,
                          static_cast<const std::chrono::sys_seconds*>(value)->time_since_epoch().count());
    case Kind::object:
      return writeStruct(out, *type.object, value, name);
    case Kind::list:
      return writeList(out, name, *type.list, value);
    case Kind::metadata:
      return writeMetadata(out, name, *static_cast<const Metadata*>(value));
    case Kind::metadataEdit:
      return writeMetadataEdit(out, name, *static_cast<const MetadataEdit*>(value));
    case Kind::rawJson:
      return writeFormPair(out, name, static_cast<const RawJson*>(value)->text);
    case Kind::constant:
      return;
  }
}

void writeStruct(std::string& out, const Struct& type, const void* object, std::string_view outer) {
  for (const Field& field : type.fields)
    if (const void* value = field.given(object))
      writeValue(out, paramName(outer, field.name), field.type, value);
}

}  // namespace

void writeFormPair(std::string& out, std::string_view name, std::string_view value) {
  if (!out.empty()) out += '&';
  percentEncode(out, name);
  out += '=';
  percentEncode(out, value);
}

void writeForm(std::string& out, const Struct& type, const void* params,
               std::initializer_list<std::string_view> except) {
  for (const Field& field : type.fields) {
    if (std::ranges::find(except, field.name) != except.end()) continue;
    if (const void* value = field.given(params)) writeValue(out, field.name, field.type, value);
  }
}

}  // namespace tally::detail
