#include "format/json_input.h"

#include <algorithm>

#include "form/validation.h"
#include "tables/longest_duration.h"
#include "tables/parsed_number.h"
#include "text/base64.h"
#include "text/readable.h"
#include "text/suggestion.h"
#include "time/rfc3339.h"

namespace tally::fake::detail {

namespace {

std::string placeIn(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t start = before.rfind('\n') + 1;  // 0 if there is none
  return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - start + 1);
}

/// A name from the input, for a message.
std::string shown(std::string_view name) {
  std::string text;
  tally::detail::appendReadable(text, name);
  return text;
}

}  // namespace

JsonDocument parseInput(std::string_view text) {
  JsonDocument document{text};
  if (const auto& problem = document.problem()) {
    const std::string place = placeIn(text, problem->offset);
    throw BadInput{problem->tooDeep ? problem->path() + ": " + problem->what + " (" + place + ")"
                                    : place + ": this is not JSON (" + problem->what + ")"};
  }
  return document;
}

JsonInput::JsonInput(const JsonValue& value, std::string place) : object_(value), place_(std::move(place)) {
  if (!object_.isObject()) fail("expected an object");
  if (const auto name = repeatedMember(object_)) fail(shown(*name), "given twice");
}

std::string JsonInput::placeOf(std::string_view name) const {
  return (place_.empty() ? "" : place_ + '.') + std::string{name};
}

void JsonInput::fail(std::string_view name, const std::string& what) const {
  throw BadInput{placeOf(name) + ": " + what};
}

void JsonInput::fail(const std::string& what) const {
  throw BadInput{(place_.empty() ? "" : place_ + ": ") + what};
}

/// Finds nothing for a JSON null, too. Begins after the member found last, since many members are read in
/// their order.
std::optional<JsonValue> JsonInput::find(std::string_view wanted) {
  asked_.emplace(wanted);
  const auto members = object_.members();
  const auto middle = next_.value_or(members.begin());
  const auto search = [wanted](auto at, const auto& end) {
    while (at != end && !(*at).name.is(wanted))
      ++at;
    return at;
  };
  auto at = search(middle, members.end());
  if (at == members.end() && (at = search(members.begin(), middle)) == middle) return std::nullopt;
  const JsonValue value = (*at).value;
  next_ = ++at;
  return value.isNull() ? std::nullopt : std::optional{value};
}

/// Reads a member, if there is one. `read` returns nothing for a value that is not as `expected`.
template <class Read>
auto JsonInput::get(std::string_view name, const char* expected, const Read& read)
    -> decltype(read(std::declval<const JsonValue&>())) {
  const auto value = find(name);
  if (!value) return std::nullopt;
  auto result = read(*value);
  if (!result) fail(name, expected);
  return result;
}

std::optional<std::string> JsonInput::text(std::string_view name) {
  return get(name, "expected a string", [](const JsonValue& value) {
    return value.isString() ? std::optional{value.string()} : std::nullopt;
  });
}

std::optional<std::string> JsonInput::bytes(std::string_view name) {
  const auto value = find(name);
  return value ? std::optional{bytesOf(name, *value)} : std::nullopt;
}

std::string JsonInput::bytesOf(std::string_view name, const JsonValue& value) const {
  if (value.isString()) return value.string();
  if (!value.isObject()) fail(name, R"(expected a string or {"base64":"…"})");
  JsonInput given{value, placeOf(name)};
  const auto encoded = given.text("base64");
  given.finish();
  auto decoded = encoded ? tally::detail::decodeBase64(*encoded) : std::nullopt;
  if (!decoded) fail(name, R"(expected base64, or a string, as in {"base64":"/w=="})");
  return *std::move(decoded);
}

bool JsonInput::isText(std::string_view name) {
  const auto value = find(name);
  return value && value->isString();
}

std::optional<std::int64_t> JsonInput::integer(std::string_view name) {
  return get(name, "expected an integer", [](const JsonValue& value) { return value.integer(); });
}

std::optional<std::int64_t> JsonInput::integer(std::string_view name, std::int64_t least, std::int64_t most) {
  const auto number = integer(name);
  if (!number || (*number >= least && *number <= most)) return number;
  const bool isBounded = most != std::numeric_limits<std::int64_t>::max();
  fail(name, isBounded ? "expected a number from " + std::to_string(least) + " to " + std::to_string(most)
                       : "expected a number of at least " + std::to_string(least));
}

std::optional<std::uint64_t> JsonInput::unsignedInteger(std::string_view name) {
  return get(name, "expected an integer from 0 to 2^64 - 1",
             [](const JsonValue& value) { return parsedNumber<std::uint64_t>(value.text()); });
}

std::optional<double> JsonInput::number(std::string_view name) {
  return get(name, "expected a number", [](const JsonValue& value) { return value.number(); });
}

std::optional<std::uint64_t> JsonInput::bits(std::string_view name) {
  const auto digits = text(name);
  if (!digits) return std::nullopt;
  const auto value = parsedNumber<std::uint64_t>(*digits);
  if (!value) fail(name, "expected an integer from 0 to 2^64 - 1, as a string");
  return value;
}

std::optional<bool> JsonInput::boolean(std::string_view name) {
  return get(name, "expected true or false", [](const JsonValue& value) {
    return value.isBoolean() ? std::optional{value.boolean()} : std::nullopt;
  });
}

std::optional<std::chrono::milliseconds> JsonInput::milliseconds(std::string_view name) {
  constexpr std::int64_t most = std::chrono::floor<std::chrono::milliseconds>(longestDuration).count();
  const auto count = integer(name);
  if (!count) return std::nullopt;
  if (*count < 0 || *count > most)
    fail(name, "expected a number of milliseconds from 0 to " + std::to_string(most));
  return std::chrono::milliseconds{*count};
}

std::optional<Instant> JsonInput::time(std::string_view name) {
  constexpr auto expected =
      "expected a time from 1678 to 2262, such as \"2026-01-31T12:00:00Z\" or seconds since the Unix epoch";
  return get(name, expected, [](const JsonValue& value) {
    if (const auto seconds = value.integer()) return tally::detail::instantOf(*seconds);
    return value.isString() ? tally::detail::instantOf(std::string_view{value.string()}) : std::nullopt;
  });
}

std::optional<JsonInput> JsonInput::object(std::string_view name) {
  const auto value = find(name);
  if (!value) return std::nullopt;
  return JsonInput{*value, placeOf(name)};
}

std::vector<JsonInput> JsonInput::objects(std::string_view name) {
  const auto value = find(name);
  if (!value) return {};
  if (!value->isArray()) fail(name, "expected an array");
  return objectsIn(name, *value);
}

std::vector<JsonInput> JsonInput::objectsIn(std::string_view name, const JsonValue& array) const {
  std::vector<JsonInput> read;
  for (const JsonValue& element : array.elements())
    read.emplace_back(element, placeOf(name) + '[' + std::to_string(read.size()) + ']');
  return read;
}

/// Calls `read` with each name in an object or an array of values with names, an input with the value as a
/// member, and the name of that member.
template <class Read>
void JsonInput::forEachNamed(std::string_view name, const Read& read) {
  const auto value = find(name);
  if (!value) return;
  if (value->isObject()) {
    JsonInput given{*value, placeOf(name)};
    for (const auto& [member, text] : value->members()) {
      const std::string memberName = member.string();
      read(memberName, given, memberName);
    }
    return;
  }
  if (!value->isArray()) fail(name, R"(expected an object, or an array of {"name":"…","value":…})");
  for (JsonInput& part : objectsIn(name, *value)) {
    read(part.required(part.bytes("name"), "name"), part, "value");
    part.finish();
  }
}

std::vector<Header> JsonInput::headers(std::string_view name) {
  std::vector<Header> read;
  forEachNamed(name, [&](std::string header, JsonInput& part, std::string_view member) {
    std::string value = part.required(part.bytes(member), member);
    if (!tally::detail::isHeaderName(header))
      fail(name, "'" + shown(header) + "' is not a valid header name");
    if (!tally::detail::isHeaderText(value))
      fail(name, "the value of '" + header + "' has a line break or another control character");
    read.push_back({std::move(header), std::move(value)});
  });
  return read;
}

std::optional<TextPattern> JsonInput::pattern(std::string_view name) {
  const auto value = find(name);
  if (!value) return std::nullopt;
  if (value->isString()) return TextPattern{value->string()};
  if (!value->isObject()) fail(name, R"(expected a string, {"contains":"…"} or {"present":true or false})");
  JsonInput given{*value, placeOf(name)};
  if (given.find("base64")) return TextPattern{bytesOf(name, *value)};
  const auto part = given.bytes("contains");
  const auto present = given.boolean("present");
  given.finish();
  if (part.has_value() == present.has_value()) given.fail("expected either 'contains' or 'present'");
  if (part) return TextPattern::containing(*part);
  return *present ? TextPattern::any() : TextPattern::absent();
}

std::vector<NamedPattern> JsonInput::patterns(std::string_view name) {
  std::vector<NamedPattern> read;
  forEachNamed(name, [&](std::string part, JsonInput& given, std::string_view member) {
    read.push_back({std::move(part), given.required(given.pattern(member), member)});
  });
  return read;
}

void JsonInput::finish() const {
  for (const auto& [name, value] : object_.members())
    if (const std::string text = name.string(); !asked_.contains(text))
      fail(shown(text), "unknown field" + tally::detail::suggestionOrList(text, asked_));
}

}  // namespace tally::fake::detail
