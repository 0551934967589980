#include "codec/json_writer.h"

#include <chrono>
#include <cstddef>
#include <cstdint>

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

void writeMetadata(std::string& out, const Metadata& metadata) {
  out += '{';
  for (const auto& [key, value] : metadata) {
    if (out.back() != '{') out += ',';
    writeMember(out, key, value);
  }
  out += '}';
}

void writeMetadataEdit(std::string& out, const MetadataEdit& edit) {
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

void writeRawJson(std::string& out, const RawJson& json) {
  out += json.text.empty() ? "null" : json.text;
}

void writeList(std::string& out, const ListAccess& list, const void* value) {
  out += '[';
  const std::size_t size = list.size(value);
  for (std::size_t i = 0; i < size; ++i) {
    if (i != 0) out += ',';
    writeJsonValue(out, *list.element, list.at(const_cast<void*>(value), i));
  }
  out += ']';
}

void writeField(std::string& out, const Field& field, const void* object) {
  const void* value = field.given(object);
  const bool isConstant = field.type.kind == Kind::constant;
  if (value == nullptr && !field.required) return;
  if (out.back() != '{') out += ',';
  writeJsonString(out, field.name);
  out += ':';
  if (isConstant) {
    writeJsonString(out, field.constant);
  } else if (value == nullptr) {
    out += "null";
  } else {
    writeJsonValue(out, field.type, value);
  }
}

}  // namespace

void writeJsonValue(std::string& out, const Type& type, const void* value) {
  switch (type.kind) {
    case Kind::text:
      return writeJsonString(out, textAt(value));
    case Kind::string:
      return writeJsonString(out, *static_cast<const std::string*>(value));
    case Kind::integer:
      return appendDecimal(out, *static_cast<const std::int64_t*>(value));
    case Kind::boolean:
      out += *static_cast<const bool*>(value) ? "true" : "false";
      return;
    case Kind::time:
      return appendDecimal(out,
                           static_cast<const std::chrono::sys_seconds*>(value)->time_since_epoch().count());
    case Kind::object:
      return writeJson(out, *type.object, value);
    case Kind::list:
      return writeList(out, *type.list, value);
    case Kind::metadata:
      return writeMetadata(out, *static_cast<const Metadata*>(value));
    case Kind::metadataEdit:
      return writeMetadataEdit(out, *static_cast<const MetadataEdit*>(value));
    case Kind::rawJson:
      return writeRawJson(out, *static_cast<const RawJson*>(value));
    case Kind::constant:
      return;
  }
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

void writeJson(std::string& out, const Struct& type, const void* object) {
  out += '{';
  for (const Field& field : type.fields)
    writeField(out, field, object);
  out += '}';
}

}  // namespace tally::detail
