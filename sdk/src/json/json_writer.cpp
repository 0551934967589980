#include "json/json_writer.h"

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "schema/visit.h"
#include "text/appender.h"
#include "text/decimal.h"
#include "text/escape_scan.h"

namespace tally::detail {

namespace {

/// What follows the backslash in the escape of `c`; `u` for those of Unicode.
char escapedCharacter(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 'u';
  }
}

void appendEscape(Appender& out, char c) {
  constexpr std::string_view hex = "0123456789abcdef";
  const char escaped = escapedCharacter(c);
  out.append('\\');
  out.append(escaped);
  if (escaped != 'u') return;
  const auto byte = static_cast<unsigned char>(c);
  for (const char digit : {'0', '0', hex[byte >> 4U], hex[byte & 0xFU]})
    out.append(digit);
}

/// From `plain` on, where the first escape is. In recordings, the text is JSON itself.
void writeEscaped(std::string& out, const char* plain, const char* end) {
  Appender escaped{out, out.size()};
  while (plain != end) {
    appendEscape(escaped, *plain);
    plain = escaped.appendPlain<Charset::any>(plain + 1, end);
  }
  escaped.finish();
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
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* const plain = endOfPlain<Charset::any>(begin, end);
  out += '"';
  out.append(begin, plain);
  if (plain != end) writeEscaped(out, plain, end);
  out += '"';
}

void writeJson(std::string& out, ConstObjectRef object) {
  out += '{';
  for (const Field& field : object.type().fields)
    writeField(out, field, object);
  out += '}';
}

}  // namespace tally::detail
