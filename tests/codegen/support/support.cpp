#include "support/support.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "program/run.h"

namespace tally::codegen::test {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

std::string unescaped(std::string_view segment) {
  std::string result;
  for (std::size_t i = 0; i < segment.size(); ++i)
    result += segment[i] != '~' ? segment[i] : segment[++i] == '1' ? '/' : '~';
  return result;
}

json::value& step(json::value& value, const std::string& segment) {
  if (auto* array = value.if_array()) return array->at(std::stoul(segment));
  return value.as_object().at(segment);
}

void put(json::value& parent, const std::string& segment, const std::string& text) {
  if (auto* array = parent.if_array()) {
    const auto position = array->begin() + std::stol(segment);
    if (text.empty()) {
      array->erase(position);
    } else if (position == array->end()) {
      array->push_back(json::parse(text));
    } else {
      *position = json::parse(text);
    }
  } else if (text.empty()) {
    if (parent.as_object().erase(segment) == 0) throw std::runtime_error{"nothing to remove: " + segment};
  } else {
    parent.as_object()[segment] = json::parse(text);
  }
}

void apply(json::value& root, const Edit& edit) {
  json::value* at = &root;
  std::string_view rest = std::string_view{edit.pointer}.substr(1);
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    at = &step(*at, unescaped(rest.substr(0, slash)));
    rest.remove_prefix(slash + 1);
  }
  put(*at, unescaped(rest), edit.value);
}

}  // namespace

bool hasFormatter() {
  return std::system("command -v " TALLY_CODEGEN_CLANG_FORMAT " >/dev/null") == 0;  // NOLINT: no user input
}

std::string readFile(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  if (!in) throw std::runtime_error{path.string() + ": can't be read"};
  return {std::istreambuf_iterator<char>{in}, {}};
}

void writeFile(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream out{path, std::ios::binary};
  out << text;
}

std::map<std::string, std::string> tree(const fs::path& folder) {
  std::map<std::string, std::string> result;
  if (!fs::exists(folder)) return result;
  for (const auto& entry : fs::recursive_directory_iterator{folder})
    if (entry.is_regular_file())
      result[entry.path().lexically_relative(folder).generic_string()] = readFile(entry.path());
  return result;
}

Outcome generate(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream errors;
  const int status = run(arguments, out, errors);
  return {status, out.str(), linesOf(errors.str())};
}

void writeSmallApi(const fs::path& folder, const std::vector<Edit>& edits) {
  for (const char* name : {"root.json", "things.json"}) {
    json::value root = json::parse(readFile(testFolder() / "small_api" / name));
    for (const Edit& edit : edits)
      if (edit.file == name) apply(root, edit);
    writeFile(folder / name, json::serialize(root));
  }
}

fs::path repository() {
  return testFolder().parent_path().parent_path();
}

fs::path testFolder() {
  return TALLY_CODEGEN_TESTS;
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

}  // namespace tally::codegen::test
