#include "json/json_reader.h"

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "json/json_cursor.h"
#include "json/json_scope.h"
#include "json/reset.h"
#include "text/fast_equals.h"

namespace tally::detail {

namespace {

/// Deeper nesting of objects and arrays is rejected.
constexpr std::size_t maxDepth = 16;

std::string_view nameOf(Kind kind) {
  switch (kind) {
    case Kind::text:
    case Kind::string:
    case Kind::constant:
      return "a string";
    case Kind::integer:
      return "an integer";
    case Kind::boolean:
      return "true or false";
    case Kind::time:
      return "whole seconds since the epoch";
    case Kind::object:
      return "an object";
    case Kind::list:
      return "an array";
    case Kind::metadata:
    case Kind::metadataEdit:
      return "an object of strings";
    case Kind::rawJson:
      break;
  }
  return "a value";
}

/// The index of a field, or the list's size.
std::size_t indexOf(std::string_view name, std::span<const Field> fields) {
  std::size_t i = 0;
  while (i < fields.size() && !fastEquals(fields[i].name, name))
    ++i;
  return i;
}

/// The index of the lowest set bit; 64 if none is set.
std::size_t lowest(std::uint64_t bits) {
  return static_cast<std::size_t>(std::countr_zero(bits));
}

bool mayBeNull(const Type& type, const Field* field) {
  return field != nullptr && type.optional != nullptr && (field->nullable || !field->required);
}

/// Reads by the field tables, which say what may come next.
class JsonReader {
 public:
  JsonReader(std::string_view json, bool whole) : cursor_(json), whole_(whole) {}

  std::optional<std::string> read(ObjectRef target) {
    if (document(target)) return std::nullopt;
    return std::move(problem_);
  }

 private:
  bool document(ObjectRef target);
  template <class Read>
  bool untilClosed(char bracket, Read readOne);
  bool object(ObjectRef target, const Scope* outer);
  bool member(Scope& scope);
  bool describedMember(Scope& scope, std::size_t index);
  bool constant(const Field& field, const Scope& scope);
  bool unknownMember(const Scope& scope, std::string_view name);
  bool list(ListRef target, const Scope& outer);
  bool metadata(Metadata& target, const Scope& outer);
  bool pair(Metadata& target, Scope& scope);
  bool value(MemberRef member, const Scope& scope);
  bool null(MemberRef member, const Scope& scope);
  void keepNull(const Scope& scope);
  bool text(MemberRef member, const Scope& scope);
  bool integer(MemberRef member, const Scope& scope);
  bool boolean(MemberRef member, const Scope& scope);
  bool raw(std::string& text);

  void resetUnseen(const Scope& scope);
  bool missingField(Scope& scope);
  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  bool failAt(const Scope* scope, std::string_view what) {
    const std::string path = pathOf(scope);
    return fail(path.empty() ? std::string{what} : path + ": " + std::string{what});
  }
  bool expected(const Type& type, const Scope& scope) {
    return failAt(&scope, "expected " + std::string{nameOf(type.kind)});
  }
  bool notJson(std::string_view reason) { return fail(cursor_.fault(reason)); }

  JsonCursor cursor_;
  bool whole_;
  std::string problem_{};
};

bool JsonReader::document(ObjectRef target) {
  if (cursor_.atEnd()) return notJson("unexpected end");
  if (cursor_.peek() != '{') return failAt(nullptr, "expected an object");
  return object(target, nullptr) && (cursor_.atEnd() || notJson("unexpected data after the object"));
}

/// Reads comma-separated items up to the closing bracket.
template <class Read>
bool JsonReader::untilClosed(char bracket, Read readOne) {
  if (cursor_.take(bracket)) return true;
  do {
    if (!readOne()) return false;
  } while (cursor_.take(','));
  return cursor_.take(bracket) || notJson(std::string{"expected ',' or '"} + bracket + '\'');
}

bool JsonReader::object(ObjectRef target, const Scope* outer) {
  Scope scope{.outer = outer, .target = target};
  if (scope.depth > maxDepth) return failAt(outer, "nested too deeply");
  if (UnknownFields* unknown = whole_ ? target.unknownFields() : nullptr) unknown->clear();
  cursor_.skip();
  if (!untilClosed('}', [&] { return member(scope); })) return false;
  if (!whole_) return true;
  if ((target.type().required & ~scope.seen) != 0) return missingField(scope);
  resetUnseen(scope);
  return true;
}

/// The caller may read into an object that was filled before.
void JsonReader::resetUnseen(const Scope& scope) {
  const std::span<const Field> fields = scope.target.type().fields;
  for (std::uint64_t unseen = ~scope.seen; lowest(unseen) < fields.size(); unseen &= unseen - 1)
    reset(fields[lowest(unseen)], scope.target);
}

bool JsonReader::member(Scope& scope) {
  const std::span<const Field> fields = scope.target.type().fields;
  // Fields usually arrive in the order of the table.
  std::size_t index = scope.next;
  if (index >= fields.size() || !cursor_.takeName(fields[index].name)) {
    const auto name = cursor_.string();
    if (!name) return fail(cursor_.fault());
    index = indexOf(*name, fields);
    if (index == fields.size()) [[unlikely]]
      return unknownMember(scope, *name);
    if (!cursor_.take(':')) return notJson("expected ':'");
  }
  scope.next = index + 1;
  return describedMember(scope, index);
}

bool JsonReader::describedMember(Scope& scope, std::size_t index) {
  const Field& field = scope.target.type().fields[index];
  scope.field = &field;
  const std::uint64_t bit = std::uint64_t{1} << index;
  if ((scope.seen & bit) != 0) [[unlikely]]
    return failAt(&scope, "duplicate field");
  scope.seen |= bit;
  if (field.type.kind == Kind::constant) return constant(field, scope);
  return value(scope.target.member(field), scope);
}

bool JsonReader::constant(const Field& field, const Scope& scope) {
  if (cursor_.peek() != '"') return expected(field.type, scope);
  const auto text = cursor_.string();
  if (!text) return fail(cursor_.fault());
  return *text == field.constant || failAt(&scope, "expected '" + std::string{field.constant} + "'");
}

bool JsonReader::unknownMember(const Scope& scope, std::string_view name) {
  Stray stray = strayIn(scope, name);
  if (!cursor_.take(':')) return notJson("expected ':'");
  std::string unkept;
  if (stray.keeper == nullptr) return raw(unkept);
  UnknownField& unknown = stray.keeper->target.unknownFields()->emplace_back();
  unknown.path = std::move(stray.path);
  return raw(unknown.value.text);
}

bool JsonReader::missingField(Scope& scope) {
  const Struct& type = scope.target.type();
  scope.field = &type.fields[lowest(type.required & ~scope.seen)];
  return failAt(&scope, "missing");
}

bool JsonReader::list(ListRef target, const Scope& outer) {
  Scope scope{.outer = &outer, .isArray = true};
  if (scope.depth > maxDepth) return failAt(&outer, "nested too deeply");
  if (!whole_) target.truncate(0);
  cursor_.skip();
  const std::size_t kept = target.size();
  const auto element = [&] {
    if (!value(scope.next < kept ? target[scope.next] : target.append(), scope)) return false;
    ++scope.next;
    return true;
  };
  if (!untilClosed(']', element)) return false;
  target.truncate(scope.next);
  return true;
}

bool JsonReader::metadata(Metadata& target, const Scope& outer) {
  Scope scope{.outer = &outer};
  target.clear();
  cursor_.skip();
  return untilClosed('}', [&] { return pair(target, scope); });
}

bool JsonReader::pair(Metadata& target, Scope& scope) {
  const auto name = cursor_.string();
  if (!name) return fail(cursor_.fault());
  std::string key{*name};
  scope.key = key;
  if (!cursor_.take(':')) return notJson("expected ':'");
  if (cursor_.peek() != '"') return failAt(&scope, "expected a string");
  const auto text = cursor_.string();
  if (!text) return fail(cursor_.fault());
  target.insert_or_assign(std::move(key), *text);
  return true;
}

/// Switches by itself instead of by visit(): there is no value before the text has one.
bool JsonReader::value(MemberRef member, const Scope& scope) {
  switch (member.type().kind) {
    case Kind::text:
    case Kind::string:
      return text(member, scope);
    case Kind::integer:
    case Kind::time:
      return integer(member, scope);
    case Kind::boolean:
      return boolean(member, scope);
    case Kind::object:
      if (cursor_.peek() != '{') break;
      return object(member.emplace().object(), &scope);
    case Kind::list:
      if (cursor_.peek() != '[') break;
      return list(member.emplace().list(), scope);
    case Kind::metadata:
      if (cursor_.peek() != '{') break;
      return metadata(member.emplace().as<Metadata>(), scope);
    case Kind::rawJson:
      if (cursor_.peek() == 'n' && mayBeNull(member.type(), scope.field)) break;
      return raw(member.emplace().as<RawJson>().text);
    case Kind::constant:  // handled as a field; has no member
    case Kind::metadataEdit:
      break;
  }
  return null(member, scope);
}

/// A value of another type may still be null.
bool JsonReader::null(MemberRef member, const Scope& scope) {
  if (!mayBeNull(member.type(), scope.field) || !cursor_.take("null")) return expected(member.type(), scope);
  member.clear();
  if (whole_ && !scope.field->required) keepNull(scope);
  return true;
}

/// An empty member alone would mean that the field is missing.
void JsonReader::keepNull(const Scope& scope) {
  Stray stray = strayIn(scope, scope.field->name);
  if (stray.keeper == nullptr) return;
  stray.keeper->target.unknownFields()->push_back({std::move(stray.path), {"null"}});
}

bool JsonReader::text(MemberRef member, const Scope& scope) {
  if (cursor_.peek() != '"') return null(member, scope);
  const auto text = cursor_.string();
  if (!text) return fail(cursor_.fault());
  member.emplace().text() = *text;
  return true;
}

bool JsonReader::integer(MemberRef member, const Scope& scope) {
  const auto number = cursor_.integer();
  if (!number) return null(member, scope);
  const ValueRef target = member.emplace();
  if (target.kind() == Kind::integer) {
    target.as<std::int64_t>() = *number;
  } else {
    target.as<std::chrono::sys_seconds>() = std::chrono::sys_seconds{std::chrono::seconds{*number}};
  }
  return true;
}

bool JsonReader::boolean(MemberRef member, const Scope& scope) {
  const bool value = cursor_.peek() == 't';
  if (!cursor_.take(value ? "true" : "false")) return null(member, scope);
  member.emplace().as<bool>() = value;
  return true;
}

bool JsonReader::raw(std::string& text) {
  text.clear();
  return cursor_.value(text) || fail(cursor_.fault());
}

}  // namespace

std::optional<std::string> readJson(std::string_view json, ObjectRef object) {
  return JsonReader{json, true}.read(object);
}

std::optional<std::string> mergeJson(std::string_view json, ObjectRef object) {
  return JsonReader{json, false}.read(object);
}

}  // namespace tally::detail
