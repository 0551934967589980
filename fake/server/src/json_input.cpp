#include "json_input.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <boost/json/serialize.hpp>
#include <boost/json/stream_parser.hpp>

#include "faults/longest_duration.h"
#include "time_text.h"

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

std::string placeIn(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t start = before.rfind('\n') + 1;  // 0 if there is none
  return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - start + 1);
}

}  // namespace

json::value parseInput(std::string_view text, json::storage_ptr memory) {
  json::stream_parser parser;
  parser.reset(std::move(memory));
  json::error_code error;
  const std::size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error && read < text.size()) error = json::error::extra_data;
  if (!error) parser.finish(error);
  if (error) throw BadInput{placeIn(text, read) + ": this is not JSON (" + error.message() + ")"};
  return parser.release();
}

std::optional<std::uint64_t> parsedNumber(std::string_view digits) {
  std::uint64_t value = 0;
  const char* const begin = digits.data();
  const char* const end = begin + digits.size();
  const auto [read, error] = std::from_chars(begin, end, value);
  return error == std::errc{} && read == end ? std::optional{value} : std::nullopt;
}

JsonInput::JsonInput(const json::value& value, std::string place)
    : object_(value.if_object()), place_(std::move(place)) {
  if (object_ == nullptr) fail("expected an object");
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

/// Returns null for a JSON null, too.
const json::value* JsonInput::find(std::string_view name) {
  asked_.emplace(name);
  const json::value* value = object_->if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::optional<std::string> JsonInput::text(std::string_view name) {
  const json::value* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) fail(name, "expected a string");
  return std::string{value->get_string()};
}

bool JsonInput::isText(std::string_view name) {
  const json::value* value = find(name);
  return value != nullptr && value->is_string();
}

std::optional<std::int64_t> JsonInput::integer(std::string_view name) {
  const json::value* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_int64()) fail(name, "expected an integer");
  return value->get_int64();
}

std::optional<std::int64_t> JsonInput::integer(std::string_view name, std::int64_t least, std::int64_t most) {
  const auto number = integer(name);
  if (!number || (*number >= least && *number <= most)) return number;
  const bool isBounded = most != std::numeric_limits<std::int64_t>::max();
  fail(name, "expected a number from " + std::to_string(least) +
                 (isBounded ? " to " + std::to_string(most) : std::string{}));
}

std::optional<double> JsonInput::number(std::string_view name) {
  const json::value* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) fail(name, "expected a number");
  return value->to_number<double>();
}

std::optional<std::uint64_t> JsonInput::bits(std::string_view name) {
  const auto digits = text(name);
  if (!digits) return std::nullopt;
  const auto value = parsedNumber(*digits);
  if (!value) fail(name, "expected an integer from 0 to 2^64 - 1, as a string");
  return value;
}

std::optional<bool> JsonInput::boolean(std::string_view name) {
  const json::value* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_bool()) fail(name, "expected true or false");
  return value->get_bool();
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
  const json::value* value = find(name);
  if (value == nullptr) return std::nullopt;
  const auto time = value->is_int64()    ? instantOf(value->get_int64())
                    : value->is_string() ? instantOf(std::string_view{value->get_string()})
                                         : std::nullopt;
  if (!time)
    fail(name,
         "expected a time from 1678 to 2262, such as \"2026-01-31T12:00:00Z\" or seconds since the Unix "
         "epoch");
  return time;
}

std::optional<JsonInput> JsonInput::object(std::string_view name) {
  const json::value* value = find(name);
  if (value == nullptr) return std::nullopt;
  return JsonInput{*value, placeOf(name)};
}

std::vector<JsonInput> JsonInput::objects(std::string_view name) {
  std::vector<JsonInput> read;
  const json::value* value = find(name);
  if (value == nullptr) return read;
  if (!value->is_array()) fail(name, "expected an array");
  read.reserve(value->get_array().size());
  for (const json::value& element : value->get_array())
    read.emplace_back(element, placeOf(name) + '[' + std::to_string(read.size()) + ']');
  return read;
}

std::vector<Header> JsonInput::headers(std::string_view name) {
  std::vector<Header> read;
  const json::value* value = find(name);
  if (value == nullptr) return read;
  if (!value->is_object()) fail(name, "expected an object of strings");
  for (const auto& [header, text] : value->get_object()) {
    if (!text.is_string()) fail(name, "expected an object of strings");
    read.push_back({std::string{header}, std::string{text.get_string()}});
  }
  return read;
}

std::optional<TextPattern> JsonInput::pattern(std::string_view name) {
  const json::value* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return TextPattern{std::string_view{value->get_string()}};
  if (!value->is_object()) fail(name, R"(expected a string, {"contains":"…"} or {"present":true or false})");
  JsonInput given{*value, placeOf(name)};
  const auto part = given.text("contains");
  const auto present = given.boolean("present");
  given.finish();
  if (part.has_value() == present.has_value()) given.fail("expected one of contains and present");
  if (part) return TextPattern::containing(*part);
  return *present ? TextPattern::any() : TextPattern::absent();
}

std::vector<NamedPattern> JsonInput::patterns(std::string_view name) {
  std::vector<NamedPattern> read;
  std::optional<JsonInput> given = object(name);
  if (!given) return read;
  for (const auto& [member, value] : *given->object_)
    read.push_back({std::string{member}, given->required(given->pattern(member), member)});
  return read;
}

void JsonInput::finish() const {
  for (const auto& [name, value] : *object_)
    if (!asked_.contains(std::string_view{name})) fail(name, "unknown field");
}

std::string JsonInput::json() const {
  return json::serialize(*object_);
}

}  // namespace tally::fake::detail
