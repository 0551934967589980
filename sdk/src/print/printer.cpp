#include "print/printer.h"

#include <algorithm>
#include <chrono>
#include <ostream>

#include <tally/amount.h>

#include "print/value_line.h"
#include "schema/visit.h"
#include "text/decimal.h"
#include "text/readable.h"

namespace tally::detail {

template <>
const Struct Schema<Amount>::value;

namespace {

/// Separates items within brackets.
void separate(std::string& out) {
  if (!out.empty() && out.back() != '{' && out.back() != '[') out += ", ";
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

void appendChange(std::string& out, const MetadataEdit::Change& change) {
  appendName(out, change.key);
  if (change.unset) {
    out += "unset";
  } else {
    appendQuoted(out, change.value);
  }
}

void appendMetadataEdit(std::string& out, const MetadataEdit& edit) {
  if (edit.unsetsAll()) {
    out += "unset all";
    return;
  }
  out += '{';
  for (const MetadataEdit::Change& change : edit.changes())
    appendChange(out, change);
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

void appendValue(std::string& out, ConstValueRef value);

void appendObject(std::string& out, ConstObjectRef object) {
  if (&object.type() == &Schema<Amount>::value) return appendAmount(out, object.as<Amount>());
  out += '{';
  for (const Field& field : object.type().fields) {
    const ConstValueRef value = object.given(field);
    if (!value) continue;
    appendName(out, field.name);
    appendValue(out, value);
  }
  if (const UnknownFields* unknown = object.unknownFields()) appendUnknownFields(out, *unknown);
  out += '}';
}

struct ValuePrinter {
  std::string& out;
  Kind kind;

  void operator()(const std::string& value) const {
    kind == Kind::text ? appendWord(out, value) : appendQuoted(out, value);
  }
  void operator()(std::int64_t value) const { appendDecimal(out, value); }
  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(std::chrono::sys_seconds value) const { out += toString(value); }
  void operator()(const MetadataEdit& value) const { appendMetadataEdit(out, value); }
  void operator()(const RawJson& value) const { appendReadable(out, value.text); }
  void operator()(ConstObjectRef value) const { appendObject(out, value); }

  void operator()(const Metadata& metadata) const {
    out += '{';
    for (const auto& [key, value] : metadata) {
      appendName(out, key);
      appendQuoted(out, value);
    }
    out += '}';
  }

  void operator()(ConstListRef list) const {
    const std::size_t size = list.size();
    out += '[';
    for (std::size_t i = 0; i < std::min(size, longestList); ++i) {
      separate(out);
      appendValue(out, list[i]);
    }
    if (size > longestList) out += ", and " + std::to_string(size - longestList) + " more";
    out += ']';
  }
};

void appendValue(std::string& out, ConstValueRef value) {
  visit(value, ValuePrinter{out, value.kind()});
}

}  // namespace

std::ostream& print(std::ostream& out, ConstObjectRef object) {
  std::string line;
  if (&object.type() != &Schema<Amount>::value) appendTypeName(line, object.type().name);
  appendObject(line, object);
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

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

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

std::ostream& operator<<(std::ostream& out, const MetadataEdit::Change& value) {
  std::string line;
  detail::appendChange(line, value);
  return out << line;
}

}  // namespace tally
