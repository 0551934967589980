#include "json_handler.h"

#include <bit>
#include <chrono>

#include "same_text.h"

namespace tally::detail {

namespace {

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

void appendStep(std::string& path, std::string_view name) {
  if (!path.empty()) path += '.';
  path += name;
}

}  // namespace

bool JsonHandler::failAt(const std::string& where, const std::string& what, error_code& failed) {
  problem_ = where.empty() ? what : where + ": " + what;
  failed = make_error_code(boost::system::errc::invalid_argument);
  return false;
}

bool JsonHandler::expected(const Type& type, error_code& failed) {
  return fail("expected " + std::string{nameOf(type.kind)}, failed);
}

std::string JsonHandler::path() const {
  std::string result;
  for (std::size_t i = 0; i < depth_; ++i) {
    const Frame& frame = frames_[i];
    if (frame.into == Into::list) {
      result += '[' + std::to_string(frame.next - 1) + ']';
    } else if (frame.into == Into::metadata) {
      appendStep(result, key_);
    } else if (frame.field != nullptr) {
      appendStep(result, frame.field->name);
    }
  }
  return result;
}

bool JsonHandler::push(Frame frame, error_code& failed) {
  if (depth_ == maxDepth) return fail("nested too deeply", failed);
  frames_[depth_++] = frame;
  return true;
}

bool JsonHandler::beginStruct(const Struct& type, void* target, error_code& failed) {
  return push({.into = Into::object, .target = target, .type = &type}, failed);
}

JsonHandler::Place JsonHandler::nextElement() {
  Frame& frame = top();
  ++frame.next;
  return {.type = frame.list->element, .member = frame.list->append(frame.target)};
}

/// The place of a field in the list, or the list's size.
std::size_t JsonHandler::indexOf(std::string_view name, std::span<const Field> fields) {
  std::size_t i = 0;
  while (i < fields.size() && !sameText(fields[i].name, name))
    ++i;
  return i;
}

bool JsonHandler::selectField(std::string_view name, error_code& failed) {
  Frame& frame = top();
  const std::span<const Field> fields = frame.type->fields;
  // Fields mostly come in the order in which they are listed.
  std::size_t index = frame.next;
  if (index >= fields.size() || !sameText(fields[index].name, name)) index = indexOf(name, fields);
  if (index == fields.size()) [[unlikely]] {
    keepUnknown(name);
    return true;
  }
  frame.next = index + 1;
  frame.field = &fields[index];
  const std::uint64_t bit = std::uint64_t{1} << index;
  if ((frame.seen & bit) != 0) [[unlikely]]
    return fail("given twice", failed);
  frame.seen |= bit;
  return true;
}

/// It goes to the nearest object around it that keeps unknown fields, under its path from there.
void JsonHandler::keepUnknown(std::string_view name) {
  std::string path{name};
  for (std::size_t i = depth_; i-- > 0;) {
    const Frame& frame = frames_[i];
    if (i + 1 < depth_ && frame.into == Into::list) {
      path.insert(0, '[' + std::to_string(frame.next - 1) + "].");
    } else if (i + 1 < depth_) {
      path.insert(0, std::string{frame.field->name} + (path.front() == '[' ? "" : "."));
    }
    if (frame.into == Into::object && frame.type->unknownFields != nullptr) {
      UnknownField& unknown = frame.type->unknownFields(frame.target)->emplace_back();
      unknown.path = std::move(path);
      return raw_.start(unknown.value.text);
    }
  }
  discarded_.clear();
  raw_.start(discarded_);
}

bool JsonHandler::intoRawJson(const Place& place) {
  if (place.type->kind != Kind::rawJson) return false;
  std::string& text = static_cast<RawJson*>(place.type->emplace(place.member))->text;
  text.clear();
  raw_.start(text);
  return true;
}

bool JsonHandler::on_object_begin(error_code& failed) {
  if (raw_.active()) return raw_.open('{'), true;
  if (depth_ == 0) return beginStruct(root_, object_, failed);
  if (top().into == Into::metadata) return fail("expected a string", failed);
  const Place at = place();
  if (intoRawJson(at)) return raw_.open('{'), true;
  if (at.type->kind == Kind::object)
    return beginStruct(*at.type->object, at.type->emplace(at.member), failed);
  if (at.type->kind != Kind::metadata) return expected(*at.type, failed);
  auto* metadata = static_cast<Metadata*>(at.type->emplace(at.member));
  metadata->clear();
  key_.clear();
  return push({.into = Into::metadata, .target = metadata}, failed);
}

bool JsonHandler::missingField(error_code& failed) {
  Frame& frame = top();
  const std::uint64_t missing = frame.type->required & ~frame.seen;
  frame.field = &frame.type->fields[static_cast<std::size_t>(std::countr_zero(missing))];
  return fail("missing", failed);
}

bool JsonHandler::on_object_end(std::size_t, error_code& failed) {
  if (raw_.active()) return raw_.close('}'), true;
  const Frame& frame = top();
  if (whole_ && frame.into == Into::object && (frame.type->required & ~frame.seen) != 0)
    return missingField(failed);
  --depth_;
  return true;
}

bool JsonHandler::on_array_begin(error_code& failed) {
  if (raw_.active()) return raw_.open('['), true;
  if (depth_ == 0) return fail("expected an object", failed);
  if (top().into == Into::metadata) return fail("expected a string", failed);
  const Place at = place();
  if (intoRawJson(at)) return raw_.open('['), true;
  if (at.type->kind != Kind::list) return expected(*at.type, failed);
  return push({.into = Into::list, .target = at.type->emplace(at.member), .list = at.type->list}, failed);
}

bool JsonHandler::on_array_end(std::size_t, error_code&) {
  if (raw_.active()) return raw_.close(']'), true;
  --depth_;
  return true;
}

/// The whole of a text of which `last` is the last part.
std::string_view JsonHandler::whole(std::string_view last) {
  if (scratch_.empty()) return last;
  scratch_ += last;
  return scratch_;
}

bool JsonHandler::on_key_part(std::string_view part, std::size_t, error_code&) {
  scratch_ += part;
  return true;
}

bool JsonHandler::on_key(std::string_view last, std::size_t, error_code& failed) {
  const std::string_view name = whole(last);
  bool ok = true;
  if (raw_.active()) {
    raw_.key(name);
  } else if (top().into == Into::metadata) {
    key_ = name;
  } else {
    ok = selectField(name, failed);
  }
  scratch_.clear();
  return ok;
}

bool JsonHandler::on_string_part(std::string_view part, std::size_t, error_code&) {
  scratch_ += part;
  return true;
}

bool JsonHandler::on_string(std::string_view last, std::size_t, error_code& failed) {
  const bool ok = putString(whole(last), failed);
  scratch_.clear();
  return ok;
}

bool JsonHandler::putString(std::string_view text, error_code& failed) {
  if (raw_.active()) return raw_.string(text), true;
  if (depth_ == 0) return fail("expected an object", failed);
  Frame& frame = top();
  if (frame.into == Into::metadata) {
    static_cast<Metadata*>(frame.target)->insert_or_assign(std::move(key_), text);
    return true;
  }
  const Place at = place();
  if (intoRawJson(at)) return raw_.string(text), true;
  switch (at.type->kind) {
    case Kind::string:
      *static_cast<std::string*>(at.type->emplace(at.member)) = text;
      return true;
    case Kind::text:
      textAt(at.type->emplace(at.member)) = text;
      return true;
    case Kind::constant:
      // Only a field is a constant, never an element, so there is a field.
      // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker)
      return text == at.field->constant || fail("expected '" + std::string{at.field->constant} + "'", failed);
    default:
      return expected(*at.type, failed);
  }
}

/// Puts a number, a boolean or a null where it belongs; `store` says whether it fits there.
template <class Store>
bool JsonHandler::putLiteral(std::string_view literal, error_code& failed, Store store) {
  if (raw_.active()) return raw_.literal(literal), true;
  if (depth_ == 0) return fail("expected an object", failed);
  if (top().into == Into::metadata) return fail("expected a string", failed);
  const Place at = place();
  if (store(at)) return true;
  if (intoRawJson(at)) return raw_.literal(literal), true;
  return expected(*at.type, failed);
}

bool JsonHandler::putNumber(std::optional<std::int64_t> integer, std::string_view last, error_code& failed) {
  const bool ok = putLiteral(whole(last), failed, [&](const Place& at) {
    if (!integer) return false;
    if (at.type->kind == Kind::integer) {
      *static_cast<std::int64_t*>(at.type->emplace(at.member)) = *integer;
    } else if (at.type->kind == Kind::time) {
      *static_cast<std::chrono::sys_seconds*>(at.type->emplace(at.member)) =
          std::chrono::sys_seconds{std::chrono::seconds{*integer}};
    } else {
      return false;
    }
    return true;
  });
  scratch_.clear();
  return ok;
}

bool JsonHandler::on_number_part(std::string_view part, error_code&) {
  scratch_ += part;
  return true;
}

bool JsonHandler::on_int64(std::int64_t value, std::string_view last, error_code& failed) {
  return putNumber(value, last, failed);
}

bool JsonHandler::on_uint64(std::uint64_t, std::string_view last, error_code& failed) {
  return putNumber(std::nullopt, last, failed);
}

bool JsonHandler::on_double(double, std::string_view last, error_code& failed) {
  return putNumber(std::nullopt, last, failed);
}

bool JsonHandler::on_bool(bool value, error_code& failed) {
  return putLiteral(value ? "true" : "false", failed, [value](const Place& at) {
    if (at.type->kind != Kind::boolean) return false;
    *static_cast<bool*>(at.type->emplace(at.member)) = value;
    return true;
  });
}

bool JsonHandler::on_null(error_code& failed) {
  return putLiteral("null", failed, [](const Place& at) {
    const bool mayBeNull =
        at.field != nullptr && at.type->optional != nullptr && (at.field->nullable || !at.field->required);
    if (mayBeNull) at.type->optional->reset(at.member);
    return mayBeNull;
  });
}

}  // namespace tally::detail
