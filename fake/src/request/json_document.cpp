#include "request/json_document.h"

#include <algorithm>
#include <span>
#include <utility>

#include <boost/json/error.hpp>

#include "json/json_cursor.h"
#include "json/json_writer.h"
#include "json/raw_json_reader.h"
#include "tables/parsed_number.h"
#include "text/decimal.h"
#include "text/escape_scan.h"
#include "text/readable.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view space = " \t\r\n";
constexpr std::size_t longestPath = 12;  // steps

std::string pathOf(std::span<const std::string> steps) {
  std::string path;
  for (const std::string& step : steps.first(std::min(steps.size(), longestPath))) {
    if (!path.empty() && !step.starts_with('[')) path += '.';
    tally::detail::appendReadable(path, step);
  }
  return steps.size() > longestPath ? path + "..." : path;
}

/// The position after the string that begins at `at`.
std::size_t endOfString(std::string_view text, std::size_t at) {
  using tally::detail::Charset;
  const char* const end = text.data() + text.size();
  const char* behind = tally::detail::endOfPlain<Charset::any>(text.data() + at + 1, end);
  while (*behind == '\\')
    behind =
        tally::detail::endOfPlain<Charset::any>(std::min(behind + 2, end), end);  // the escaped character
  return static_cast<std::size_t>(behind - text.data()) + 1;
}

/// The position after the number or word at `at`.
std::size_t endOfWord(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != ',' && text[at] != '}' && text[at] != ']')
    ++at;
  return at;
}

std::string unescaped(std::string_view json) {
  tally::detail::JsonCursor cursor{json};
  return std::string{cursor.string().value_or("")};
}

/// The first of a few names that occurs again among them; empty if none does.
std::string_view repeatedOfFew(std::span<const std::string_view> names) {
  for (std::size_t n = 0; n < names.size(); ++n)
    for (std::size_t other = 0; other < n; ++other)
      if (names[n].size() == names[other].size() && names[n] == names[other]) return names[n];
  return {};
}

/// Sorts, as comparing each with each would take long for many.
std::string_view repeatedOfMany(std::span<std::string_view> names) {
  std::ranges::sort(names);
  const auto found = std::ranges::adjacent_find(names);
  return found == names.end() ? std::string_view{} : *found;
}

/// Whether a name of `object` occurs twice in it. Uses `names` as memory.
std::optional<std::string> repeatedIn(const JsonValue& object, std::vector<std::string_view>& names) {
  constexpr std::size_t few = 24;
  names.clear();
  for (const auto& [name, value] : object.members())
    names.push_back(name.text());
  const std::string_view found = names.size() <= few ? repeatedOfFew(names) : repeatedOfMany(names);
  return found.empty() ? std::nullopt : std::optional{unescaped(found)};
}

}  // namespace

/// The values are in the order of the text: an object precedes its names and values, in turn.
struct JsonValue::Content {
  struct Node {
    std::size_t begin = 0;  // of its text
    std::size_t end = 0;
    std::size_t after = 0;  // the node behind it and all within it
  };

  /// Finds the values of `text`, which is compact and, up to where it may have been cut between two values,
  /// JSON.
  void index();

  [[nodiscard]] std::string_view textOf(const Node& node) const {
    return std::string_view{text}.substr(node.begin, node.end - node.begin);
  }

  /// The way to where a text was cut.
  [[nodiscard]] std::vector<std::string> placeOfEnd() const;

  std::string text{};
  std::vector<Node> nodes{};
  std::vector<std::size_t> open{};  // the nodes of objects and arrays without an end
};

void JsonValue::Content::index() {
  constexpr std::size_t usualLength = 12;  // of a value or name
  nodes.reserve(1 + text.size() / usualLength);
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == ',' || c == ':') {
      ++at;
    } else if (c == '{' || c == '[') {
      open.push_back(nodes.size());
      nodes.push_back({.begin = at++});
    } else if (c == '}' || c == ']') {
      nodes[open.back()].end = ++at;
      nodes[open.back()].after = nodes.size();
      open.pop_back();
    } else {
      const std::size_t end = c == '"' ? endOfString(text, at) : endOfWord(text, at);
      nodes.push_back({at, end, nodes.size() + 1});
      at = nodes.back().end;
    }
  }
}

std::vector<std::string> JsonValue::Content::placeOfEnd() const {
  std::vector<std::string> place;
  for (std::size_t n = 0; n < open.size(); ++n) {
    const std::size_t end = n + 1 < open.size() ? open[n + 1] : nodes.size();
    std::size_t children = 0;
    std::size_t last = end;
    for (std::size_t node = open[n] + 1; node < end; node = nodes[node].after) {
      last = node;
      ++children;
    }
    if (text[nodes[open[n]].begin] == '[') {
      place.push_back('[' + std::to_string(children) + ']');
    } else if (last != end) {
      place.push_back(unescaped(textOf(nodes[last])));
    }
  }
  return place;
}

std::string JsonProblem::path() const {
  return pathOf(place);
}

std::string_view JsonValue::text() const {
  return content_->textOf(content_->nodes[node_]);
}

std::size_t JsonValue::after() const {
  return content_->nodes[node_].after;
}

std::string JsonValue::string() const {
  return unescaped(text());
}

/// The text is written in one way only, so only names with escapes have to be read.
bool JsonValue::is(std::string_view wanted) const {
  const std::string_view inner = text().substr(1, text().size() - 2);
  return inner.find('\\') == std::string_view::npos ? inner == wanted : string() == wanted;
}

void JsonValue::appendWay(const JsonValue& inner, std::vector<std::string>& place) const {
  if (inner == *this) return;
  const auto contains = [&](const JsonValue& value) { return inner.node_ < value.after(); };
  if (isObject()) {
    for (const auto& [name, value] : members()) {
      if (!contains(value)) continue;
      place.push_back(name.string());
      return value.appendWay(inner, place);
    }
  }
  std::size_t index = 0;
  for (const JsonValue& value : elements()) {
    if (contains(value)) {
      place.push_back('[' + std::to_string(index) + ']');
      return value.appendWay(inner, place);
    }
    ++index;
  }
}

JsonChildren<JsonValue> JsonValue::elements() const {
  return JsonChildren<JsonValue>{*this};
}

JsonChildren<JsonMember> JsonValue::members() const {
  return JsonChildren<JsonMember>{*this};
}

std::optional<std::int64_t> JsonValue::integer() const {
  return parsedNumber<std::int64_t>(text());
}

std::optional<double> JsonValue::number() const {
  return isNumber() ? tally::detail::realNumberIn(text()) : std::nullopt;
}

JsonDocument::JsonDocument(std::string_view text, std::size_t deepest)
    : content_(std::make_unique<JsonValue::Content>()) {
  boost::system::error_code failed;
  content_->text.reserve(text.size());
  std::size_t read = tally::detail::appendRawJson(content_->text, text, failed, deepest);
  if (!failed) {
    read = std::min(text.find_first_not_of(space, read), text.size());
    if (read < text.size()) failed = boost::json::error::extra_data;
  }
  content_->index();
  if (!failed) return;
  problem_.emplace(JsonProblem{.what = failed.message(), .offset = read});
  if (failed != boost::json::error::too_deep) return;
  problem_->tooDeep = true;
  problem_->what = "nested more than " + std::to_string(deepest) + " levels deep";
  problem_->place = content_->placeOfEnd();
}

JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

std::optional<std::string> repeatedMember(const JsonValue& object) {
  std::vector<std::string_view> names;
  return repeatedIn(object, names);
}

std::optional<std::string> repeatedName(const JsonValue& value) {
  std::vector<std::string_view> names;
  for (std::size_t node = value.node_; node < value.after(); ++node) {
    const JsonValue each = value.at(node);
    auto name = each.isObject() ? repeatedIn(each, names) : std::nullopt;
    if (!name) continue;
    std::vector<std::string> steps;
    value.appendWay(each, steps);
    steps.push_back(*std::move(name));
    return pathOf(steps);
  }
  return std::nullopt;
}

}  // namespace tally::fake::detail
