#include "json/json_writer.h"

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "schema/visit.h"
#include "text/decimal.h"
#include "text/escape_scan.h"

namespace tally::detail {

namespace {

void writeEscape(std::string& out, char c) {
  constexpr std::string_view hex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += "\\u00";
      out += hex[static_cast<unsigned char>(c) >> 4U];
      out += hex[static_cast<unsigned char>(c) & 0xFU];
  }
}

void writeMember(std::string& out, std::string_view key, std::string_view value) {
  writeJsonString(out, key);
  out += ':';
  writeJsonString(out, value);
}

struct JsonValueWriter {
  std::string& out;

  void operator()(const std::string& value) const { writeJsonString(out, value); }
  void operator()(std::int64_t value) const { appendDecimal(out, value); }
  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(std::chrono::sys_seconds value) const {
    appendDecimal(out, value.time_since_epoch().count());
  }
  void operator()(const RawJson& value) const { out += value.text.empty() ? "null" : value.text; }
  void operator()(ConstObjectRef value) const { writeJson(out, value); }

  void operator()(ConstListRef list) const {
    out += '[';
    const std::size_t size = list.size();
    for (std::size_t i = 0; i < size; ++i) {
      if (i != 0) out += ',';
      writeJsonValue(out, list[i]);
    }
    out += ']';
  }

  void operator()(const Metadata& metadata) const {
    out += '{';
    for (const auto& [key, value] : metadata) {
      if (out.back() != '{') out += ',';
      writeMember(out, key, value);
    }
    out += '}';
  }

  void operator()(const MetadataEdit& edit) const {
    if (edit.unsetsAll()) {
      out += "\"\"";
      return;
    }
    out += '{';
    for (const MetadataEdit::Change& change : edit.changes()) {
      if (out.back() != '{') out += ',';
      writeMember(out, change.key, change.value);
    }
    out += '}';
  }
};

/// The name of a field, which needs no escape.
void writeName(std::string& out, std::string_view name) {
  out += '"';
  out += name;
  out += "\":";
}

void writeField(std::string& out, const Field& field, ConstObjectRef object) {
  const ConstValueRef value = object.given(field);
  if (!value && !field.required) return;
  if (out.back() != '{') out += ',';
  writeName(out, field.name);
  if (field.type.kind == Kind::constant) {
    writeJsonString(out, field.constant);
  } else if (!value) {
    out += "null";
  } else {
    writeJsonValue(out, value);
  }
}

}  // namespace

void writeJsonValue(std::string& out, ConstValueRef value) {
  visit(value, JsonValueWriter{out});
}

void writeJsonString(std::string& out, std::string_view text) {
  const char* end = text.data() + text.size();
  const char* begin = text.data();
  out += '"';
  for (const char* at = endOfPlain<Charset::any>(begin, end); at != end;
       at = endOfPlain<Charset::any>(begin, end)) {
    out.append(begin, at);
    writeEscape(out, *at);
    begin = at + 1;
  }
  out.append(begin, end);
  out += '"';
}

void writeJson(std::string& out, ConstObjectRef object) {
  out += '{';
  for (const Field& field : object.type().fields)
    writeField(out, field, object);
  out += '}';
}

}  // namespace tally::detail
