#include "json/model_json.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "json/json_cursor.h"
#include "json/json_reader.h"
#include "json/json_writer.h"
#include "text/utf8_sequence.h"

namespace [[gnu::visibility("default")]] tally {

bool operator==(const UnknownFields& a, const UnknownFields& b) {
  return std::ranges::is_permutation(a, b);
}

}  // namespace tally

namespace tally::detail {

namespace {

/// An unknown field, with its path divided into the object that it belongs to and its name there.
struct Placed {
  std::string_view place{};  // such as `lines[1].`; empty for the object that keeps the field
  std::string_view name{};   // as in the path
  const UnknownField* field = nullptr;
};

Placed placed(const UnknownField& field) {
  const std::string_view path = field.path;
  std::size_t name = 0;
  for (std::size_t at = 0; at < path.size(); ++at) {
    if (path[at] == '\\') {
      ++at;
    } else if (path[at] == '.') {
      name = at + 1;
    }
  }
  return {path.substr(0, name), path.substr(name), &field};
}

/// By place, so that each object finds its own, and in the given order within an object.
std::vector<Placed> byPlace(const UnknownFields& fields) {
  std::vector<Placed> sorted;
  sorted.reserve(fields.size());
  for (const UnknownField& field : fields)
    sorted.push_back(placed(field));
  std::ranges::sort(sorted, [](const Placed& one, const Placed& other) {
    return std::tie(one.place, one.field) < std::tie(other.place, other.field);
  });
  return sorted;
}

std::string withoutEscapes(std::string_view name) {
  std::string plain;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] == '\\' && at + 1 < name.size()) ++at;
    plain += name[at];
  }
  return plain;
}

/// Writes an object together with the unknown fields that it keeps.
class ModelWriter {
 public:
  ModelWriter(std::string& out, const UnknownFields& unknown) : out_(out), unknown_(byPlace(unknown)) {}

  void object(ConstObjectRef object);

 private:
  void members(ConstObjectRef object);
  void member(ConstObjectRef object, const Field& field);
  void unknownMembers(ConstObjectRef object);
  void name(std::string_view name);
  void value(ConstValueRef value);
  void list(ConstListRef list);
  void raw(const RawJson& json);

  std::string& out_;
  std::vector<Placed> unknown_;
  std::string place_{};  // the path to the current value
};

void ModelWriter::object(ConstObjectRef object) {
  if (const UnknownFields* own = object.unknownFields()) {
    ModelWriter{out_, *own}.members(object);
  } else {
    members(object);
  }
}

void ModelWriter::members(ConstObjectRef object) {
  out_ += '{';
  for (const Field& field : object.type().fields)
    member(object, field);
  unknownMembers(object);
  out_ += '}';
}

void ModelWriter::member(ConstObjectRef object, const Field& field) {
  const ConstValueRef present = object.value(field);
  if (!present && !field.required) return;
  name(field.name);
  if (field.type.kind == Kind::constant) return writeJsonString(out_, field.constant);
  if (!present) {
    out_ += "null";
    return;
  }
  const std::size_t outer = place_.size();
  place_ += field.name;
  value(present);
  place_.resize(outer);
}

void ModelWriter::unknownMembers(ConstObjectRef object) {
  const std::string_view here = place_;
  for (const Placed& unknown : std::ranges::equal_range(unknown_, here, {}, &Placed::place)) {
    const std::string plain = withoutEscapes(unknown.name);
    const Field* known = object.type().find(plain);
    if (known != nullptr && (known->required || object.value(*known))) continue;
    name(plain);
    raw(unknown.field->value);
  }
}

void ModelWriter::name(std::string_view name) {
  if (out_.back() != '{') out_ += ',';
  writeJsonString(out_, name);
  out_ += ':';
}

void ModelWriter::value(ConstValueRef value) {
  switch (value.kind()) {
    case Kind::object:
      place_ += '.';
      return object(value.object());
    case Kind::list:
      return list(value.list());
    case Kind::rawJson:
      return raw(value.as<RawJson>());
    default:
      return writeJsonValue(out_, value);
  }
}

void ModelWriter::list(ConstListRef list) {
  const std::size_t outer = place_.size();
  const std::size_t size = list.size();
  out_ += '[';
  for (std::size_t i = 0; i < size; ++i) {
    if (i != 0) out_ += ',';
    place_ += '[' + std::to_string(i) + ']';
    value(list[i]);
    place_.resize(outer);
  }
  out_ += ']';
}

/// The application may have set any text.
void ModelWriter::raw(const RawJson& json) {
  if (json.text.empty()) {
    out_ += "null";
    return;
  }
  const std::size_t before = out_.size();
  JsonCursor cursor{json.text};
  if (cursor.value(out_) && cursor.atEnd()) return;
  out_.resize(before);
  writeJsonString(out_, json.text);
}

/// Everything but the contents of strings is ASCII, so this changes nothing else.
std::string withValidUtf8(std::string json) {
  std::string valid;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < json.size();) {
    if (const std::size_t length = utf8SequenceLength(std::string_view{json}.substr(at))) {
      at += length;
      continue;
    }
    valid.append(json, copied, at - copied).append("\xEF\xBF\xBD");
    copied = ++at;
  }
  return copied == 0 ? std::move(json) : valid.append(json, copied);
}

}  // namespace

std::string jsonOf(ConstObjectRef object) {
  std::string json;
  ModelWriter{json, {}}.object(object);
  return withValidUtf8(std::move(json));
}

std::optional<Error> readModel(std::string_view json, ObjectRef object) {
  const auto problem = readJson(json, object);
  if (!problem) return std::nullopt;
  return Error{{.kind = ErrorKind::invalidParameter, .message = *problem, .param = "json"}};
}

}  // namespace tally::detail
