#include "json/json_reader.h"

#include <algorithm>
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

/// The fields of an object in the order of its table, and which of them have been read.
class FieldWalk {
 public:
  explicit FieldWalk(const Struct& type)
      : next(type.fields.data()), end(next + type.fields.size()), fields_(type.fields), begin_(next) {}

  /// Goes to a field other than the next one. False if it has been read before.
  [[nodiscard]] bool goTo(const Field& field) {
    seen_ = seen();
    begin_ = next = &field;
    const std::size_t seenNext = lowest(seen_ & ~below(&field));
    end = fields_.data() + std::min(seenNext, fields_.size());
    return next != end;
  }

  /// Whether all fields have been read, in order.
  [[nodiscard]] bool isComplete() const { return next == end && begin_ == fields_.data() && seen_ == 0; }

  /// The bits of the fields that have been read.
  [[nodiscard]] std::uint64_t seen() const { return seen_ | (below(next) & ~below(begin_)); }

  const Field* next;
  const Field* end;  // of those after it that have not been read

 private:
  /// The bits of the fields before that one.
  [[nodiscard]] std::uint64_t below(const Field* field) const {
    const auto index = static_cast<std::size_t>(field - fields_.data());
    return index == maxFields ? ~std::uint64_t{0} : (std::uint64_t{1} << index) - 1;
  }

  std::span<const Field> fields_;
  const Field* begin_;      // of the fields read in a row, up to the next one
  std::uint64_t seen_ = 0;  // the bits of those read before
};

/// Empties the members whose bits are not in `seen`: the caller may read into an object that was filled
/// before.
void resetUnseen(ObjectRef target, std::uint64_t seen) {
  const std::span<const Field> fields = target.type().fields;
  for (std::uint64_t unseen = ~seen; lowest(unseen) < fields.size(); unseen &= unseen - 1)
    reset(fields[lowest(unseen)], target);
}

/// The value of a field that its keeper keeps.
RawJson& keep(Stray&& stray) {
  UnknownField& unknown = stray.keeper->target.unknownFields()->emplace_back();
  unknown.path = std::move(stray.path);
  return unknown.value;
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
  bool members(Scope& scope, FieldWalk& walk);
  struct OtherMember {
    const Field* field = nullptr;
    bool isRead = false;
  };
  [[gnu::noinline]] OtherMember otherMember(const Scope& scope);
  bool constant(const Field& field, const Scope& scope);
  bool unknownMember(const Scope& scope, std::string_view name);
  [[gnu::noinline]] bool list(ListRef target, const Scope& outer);
  [[gnu::noinline]] bool metadata(Metadata& target, const Scope& outer);
  bool pair(Metadata& target, Scope& scope);
  [[gnu::always_inline]] inline bool value(MemberRef member, const Scope& scope);
  bool null(MemberRef member, const Scope& scope);
  [[gnu::noinline]] void keepNull(const Scope& scope);
  [[gnu::always_inline]] inline bool text(MemberRef member, const Scope& scope);
  bool integer(MemberRef member, const Scope& scope);
  bool boolean(MemberRef member, const Scope& scope);
  bool raw(std::string& text);

  // Out of line: failures need a large frame, and value() is called for every value.
  [[gnu::cold]] bool missingField(Scope& scope, std::uint64_t missing);
  [[gnu::cold]] bool failAt(const Scope* scope, std::string_view what) {
    const std::string path = pathOf(scope);
    problem_ = path.empty() ? std::string{what} : path + ": " + std::string{what};
    return false;
  }
  [[gnu::cold]] bool expected(const Type& type, const Scope& scope) {
    return failAt(&scope, "expected " + std::string{nameOf(type.kind)});
  }
  [[gnu::cold]] bool notJson() {
    problem_ = cursor_.fault();
    return false;
  }
  [[gnu::cold]] bool notJson(std::string_view reason) {
    problem_ = cursor_.fault(reason);
    return false;
  }
  [[gnu::cold]] bool notClosed(char bracket) {
    return notJson(std::string{"expected ',' or '"} + bracket + '\'');
  }

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
  return cursor_.take(bracket) || notClosed(bracket);
}

bool JsonReader::object(ObjectRef target, const Scope* outer) {
  Scope scope{.outer = outer, .target = target};
  if (scope.depth > maxDepth) return failAt(outer, "nested too deeply");
  if (UnknownFields* unknown = whole_ ? target.unknownFields() : nullptr) unknown->clear();
  cursor_.skip();
  const Struct& type = target.type();
  FieldWalk walk{type};
  if (!members(scope, walk)) return false;
  if (!whole_ || walk.isComplete()) return true;
  const std::uint64_t seen = walk.seen();
  if (const std::uint64_t missing = type.required & ~seen) return missingField(scope, missing);
  resetUnseen(target, seen);
  return true;
}

/// Nearly all texts have the fields in the order of the table, and no white space.
bool JsonReader::members(Scope& scope, FieldWalk& walk) {
  if (cursor_.take('}')) return true;
  bool named = false;  // the name of the next field has been read
  do {
    if (!named && (walk.next == walk.end || !cursor_.takeName(walk.next->name))) {
      const OtherMember other = otherMember(scope);
      if (other.isRead) continue;
      if (other.field == nullptr) return false;
      scope.field = other.field;
      if (!walk.goTo(*other.field)) return failAt(&scope, "duplicate field");
    }
    const Field& field = *walk.next++;
    scope.field = &field;
    const bool isConstant = field.type.kind == Kind::constant;
    if (!(isConstant ? constant(field, scope) : value(scope.target.member(field), scope))) return false;
    named = walk.next != walk.end && cursor_.takeCommaAndName(walk.next->name);
  } while (named || cursor_.take(','));
  return cursor_.take('}') || notClosed('}');
}

/// A member that is not the expected one. Reads it if the table does not have it; otherwise only its name.
JsonReader::OtherMember JsonReader::otherMember(const Scope& scope) {
  const std::span<const Field> fields = scope.target.type().fields;
  const auto name = cursor_.string();
  if (!name) return {.isRead = notJson()};
  const std::size_t index = indexOf(*name, fields);
  if (index == fields.size()) return {.isRead = unknownMember(scope, *name)};
  if (!cursor_.take(':')) return {.isRead = notJson("expected ':'")};
  return {.field = &fields[index]};
}

bool JsonReader::constant(const Field& field, const Scope& scope) {
  if (cursor_.peek() != '"') return expected(field.type, scope);
  const auto text = cursor_.string();
  if (!text) return notJson();
  return *text == field.constant || failAt(&scope, "expected '" + std::string{field.constant} + "'");
}

bool JsonReader::unknownMember(const Scope& scope, std::string_view name) {
  Stray stray = strayIn(scope, name);
  if (!cursor_.take(':')) return notJson("expected ':'");
  std::string unkept;
  if (stray.keeper == nullptr) return raw(unkept);
  return raw(keep(std::move(stray)).text);
}

bool JsonReader::missingField(Scope& scope, std::uint64_t missing) {
  scope.field = &scope.target.type().fields[lowest(missing)];
  return failAt(&scope, "missing");
}

bool JsonReader::list(ListRef target, const Scope& outer) {
  Scope scope{.outer = &outer, .isArray = true};
  if (scope.depth > maxDepth) return failAt(&outer, "nested too deeply");
  if (!whole_) target.truncate(0);
  cursor_.skip();
  const std::size_t kept = target.size();
  const auto element = [&] {
    if (!value(scope.index < kept ? target[scope.index] : target.append(), scope)) return false;
    ++scope.index;
    return true;
  };
  if (!untilClosed(']', element)) return false;
  target.truncate(scope.index);
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
  if (!name) return notJson();
  std::string key{*name};
  scope.key = key;
  if (!cursor_.take(':')) return notJson("expected ':'");
  if (cursor_.peek() != '"') return failAt(&scope, "expected a string");
  const auto text = cursor_.string();
  if (!text) return notJson();
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
  keep(std::move(stray)).text = "null";
}

bool JsonReader::text(MemberRef member, const Scope& scope) {
  if (cursor_.peek() != '"') return null(member, scope);
  const auto text = cursor_.quoted();
  if (!text) return notJson();
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
  const bool value = cursor_.take("true");
  if (!value && !cursor_.take("false")) return null(member, scope);
  member.emplace().as<bool>() = value;
  return true;
}

bool JsonReader::raw(std::string& text) {
  text.clear();
  return cursor_.value(text) || notJson();
}

}  // namespace

std::optional<std::string> readJson(std::string_view json, ObjectRef object) {
  return JsonReader{json, true}.read(object);
}

std::optional<std::string> mergeJson(std::string_view json, ObjectRef object) {
  return JsonReader{json, false}.read(object);
}

}  // namespace tally::detail
