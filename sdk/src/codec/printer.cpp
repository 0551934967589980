#include "codec/printer.h"

#include <algorithm>
#include <chrono>
#include <ostream>

#include <tally/amount.h>

#include "text/decimal.h"
#include "text/readable.h"

namespace tally {

namespace detail {

template <>
const Struct Schema<Amount>::value;

namespace {

constexpr std::size_t longestList = 32;  // elements

/// Separates items within brackets.
void separate(std::string& out) {
  if (out.back() != '{' && out.back() != '[') out += ", ";
}

void appendName(std::string& out, std::string_view name) {
  separate(out);
  appendWord(out, name);
  out += ": ";
}

/// `payment_record` as `PaymentRecord`.
void appendTypeName(std::string& out, std::string_view name) {
  bool upper = true;
  for (const char c : name) {
    if (c != '_') out += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = c == '_';
  }
}

void appendMetadata(std::string& out, const Metadata& metadata) {
  out += '{';
  for (const auto& [key, value] : metadata) {
    appendName(out, key);
    appendQuoted(out, value);
  }
  out += '}';
}

void appendMetadataEdit(std::string& out, const MetadataEdit& edit) {
  if (edit.unsetsAll()) {
    out += "unset all";
    return;
  }
  out += '{';
  for (const MetadataEdit::Change& change : edit.changes()) {
    appendName(out, change.key);
    if (change.unset) {
      out += "unset";
    } else {
      appendQuoted(out, change.value);
    }
  }
  out += '}';
}

void appendUnknownFields(std::string& out, const UnknownFields& fields) {
  if (fields.empty()) return;
  appendName(out, "unknown_fields");
  out += '{';
  for (const UnknownField& field : fields) {
    appendName(out, field.path);
    appendReadable(out, field.value.text);
  }
  out += '}';
}

void appendAmount(std::string& out, const Amount& amount) {
  appendDecimal(out, amount.value);
  out += ' ';
  appendWord(out, amount.currency);
}

void appendValue(std::string& out, const Type& type, const void* value);

void appendList(std::string& out, const ListAccess& list, const void* value) {
  const std::size_t size = list.size(value);
  out += '[';
  for (std::size_t i = 0; i < std::min(size, longestList); ++i) {
    separate(out);
    appendValue(out, *list.element, list.at(const_cast<void*>(value), i));
  }
  if (size > longestList) out += ", and " + std::to_string(size - longestList) + " more";
  out += ']';
}

void appendFields(std::string& out, const Struct& type, const void* object) {
  out += '{';
  for (const Field& field : type.fields) {
    const void* value = field.given(object);
    if (value == nullptr) continue;
    appendName(out, field.name);
    appendValue(out, field.type, value);
  }
  if (type.unknownFields != nullptr) appendUnknownFields(out, *type.unknownFields(const_cast<void*>(object)));
  out += '}';
}

void appendObject(std::string& out, const Struct& type, const void* object) {
  if (&type == &Schema<Amount>::value) return appendAmount(out, *static_cast<const Amount*>(object));
  appendFields(out, type, object);
}

void appendValue(std::string& out, const Type& type, const void* value) {
  switch (type.kind) {
    case Kind::text:
      return appendWord(out, textAt(value));
    case Kind::string:
      return appendQuoted(out, *static_cast<const std::string*>(value));
    case Kind::integer:
      return appendDecimal(out, *static_cast<const std::int64_t*>(value));
    case Kind::boolean:
      out += *static_cast<const bool*>(value) ? "true" : "false";
      return;
    case Kind::time:
      out += toString(*static_cast<const std::chrono::sys_seconds*>(value));
      return;
    case Kind::object:
      return appendObject(out, *type.object, value);
    case Kind::list:
      return appendList(out, *type.list, value);
    case Kind::metadata:
      return appendMetadata(out, *static_cast<const Metadata*>(value));
    case Kind::metadataEdit:
      return appendMetadataEdit(out, *static_cast<const MetadataEdit*>(value));
    case Kind::rawJson:
      return appendReadable(out, static_cast<const RawJson*>(value)->text);
    case Kind::constant:
      return;
  }
}

}  // namespace

std::ostream& print(std::ostream& out, const Struct& type, const void* object) {
  std::string line;
  if (&type != &Schema<Amount>::value) appendTypeName(line, type.name);
  appendObject(line, type, object);
  return out << line;
}

std::ostream& printText(std::ostream& out, std::string_view text) {
  std::string line;
  appendReadable(line, text);
  return out << line;
}

std::ostream& printEnumerator(std::ostream& out, std::span<const std::string_view> texts, std::size_t index) {
  if (index < texts.size()) return out << texts[index];
  return out << "unknown enumerator (" + std::to_string(index) + ')';
}

}  // namespace detail

std::ostream& operator<<(std::ostream& out, const RawJson& json) {
  return detail::printText(out, json.text);
}

std::ostream& operator<<(std::ostream& out, const UnknownField& field) {
  std::string line;
  detail::appendReadable(line, field.path);
  detail::appendReadable(line += ": ", field.value.text);
  return out << line;
}

std::ostream& operator<<(std::ostream& out, const MetadataEdit& edit) {
  std::string line;
  detail::appendMetadataEdit(line, edit);
  return out << line;
}

}  // namespace tally
