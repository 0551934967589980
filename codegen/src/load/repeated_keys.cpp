#include "load/repeated_keys.h"

#include <set>
#include <vector>

#include <boost/json/parse.hpp>

namespace tally::codegen::load {

namespace {

/// The text between the quotes at `at`, with its escapes. Moves `at` past the closing quote.
std::string_view quotedText(std::string_view json, std::size_t& at) {
  const std::size_t begin = ++at;
  while (json[at] != '"')
    at += json[at] == '\\' ? 2 : 1;
  return json.substr(begin, at++ - begin);
}

/// The text that JSON writes like that.
std::string unescaped(std::string_view text) {
  if (text.find('\\') == std::string_view::npos) return std::string{text};
  return std::string{boost::json::parse('"' + std::string{text} + '"').as_string()};
}

bool isKey(std::string_view json, std::size_t behind) {
  const std::size_t next = json.find_first_not_of(" \t\r\n", behind);
  return next != std::string_view::npos && json[next] == ':';
}

}  // namespace

std::optional<RepeatedKey> repeatedKey(std::string_view json) {
  std::vector<std::set<std::string>> open;
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    if (c == '"') {
      const std::size_t begin = at + 1;
      const std::string_view text = quotedText(json, at);
      if (isKey(json, at) && !open.back().insert(unescaped(text)).second)
        return RepeatedKey{std::string{text}, begin};
      continue;
    }
    if (c == '{') open.emplace_back();
    if (c == '}') open.pop_back();
    ++at;
  }
  return std::nullopt;
}

}  // namespace tally::codegen::load
