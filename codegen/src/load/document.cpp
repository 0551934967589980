#include "load/document.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include <boost/json/stream_parser.hpp>

#include "load/repeated_keys.h"

namespace tally::codegen::load {

namespace {

std::string escaped(std::string_view key) {
  std::string result;
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

std::string lineAndColumn(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t lineStart = before.rfind('\n') + 1;
  return std::to_string(line) + ':' + std::to_string(offset - lineStart + 1);
}

}  // namespace

const boost::json::value* Node::find(std::string_view key) const {
  if (value_ == nullptr || !value_->is_object()) return nullptr;
  return value_->get_object().if_contains(key);
}

Node Node::operator[](std::string_view key) const {
  const boost::json::value* const member = find(key);
  return member == nullptr ? Node{} : Node{*document_, member, pointer_ + '/' + escaped(key)};
}

Node Node::at(std::size_t index) const {
  return {*document_, value_->get_array().if_contains(index), pointer_ + '/' + std::to_string(index)};
}

std::size_t Node::size() const {
  if (value_ == nullptr) return 0;
  if (const auto* array = value_->if_array()) return array->size();
  if (const auto* object = value_->if_object()) return object->size();
  return 0;
}

std::string Node::text(std::string_view key) const {
  const boost::json::value* const member = find(key);
  return member != nullptr && member->is_string() ? std::string{member->get_string()} : std::string{};
}

std::optional<std::int64_t> Node::integer(std::string_view key) const {
  const boost::json::value* const member = find(key);
  if (member == nullptr || !member->is_int64()) return std::nullopt;
  return member->get_int64();
}

bool Node::flag(std::string_view key, bool otherwise) const {
  const boost::json::value* const member = find(key);
  return member != nullptr && member->is_bool() ? member->get_bool() : otherwise;
}

std::string Node::text() const {
  return std::string{value_->get_string()};
}

std::optional<Document> readDocument(const std::filesystem::path& path, Problems& problems) {
  std::error_code ignored;
  const bool isFolder = std::filesystem::is_directory(path, ignored);  // which streams open, but can't read
  std::ifstream in{path, std::ios::binary};
  if (isFolder || !in.is_open()) {
    problems.add(path.string() + ": can't be read; pass a file of the API description, or its folder");
    return std::nullopt;
  }
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  return parseDocument(path.filename().string(), text, problems);
}

std::optional<Document> parseDocument(std::string name, std::string_view text, Problems& problems) {
  boost::json::stream_parser parser;
  boost::json::error_code error;
  std::size_t offset = parser.write_some(text, error);
  if (!error && offset < text.size()) error = boost::json::error::extra_data;
  if (!error) parser.finish(error);
  if (error) {
    const std::string place = name + ':' + lineAndColumn(text, offset);
    problems.add(error == boost::json::error::too_deep
                     ? place + ": nested more than 32 levels deep; remove some levels"
                     : place + ": not JSON: " + error.message() + "; fix the syntax");
    return std::nullopt;
  }
  if (const auto repeated = repeatedKey(text)) {
    problems.add(name + ':' + lineAndColumn(text, repeated->offset) + ": the key " + inQuotes(repeated->key) +
                 " appears twice in one object; keep one of them");
    return std::nullopt;
  }
  return Document{std::move(name), parser.release()};
}

}  // namespace tally::codegen::load
