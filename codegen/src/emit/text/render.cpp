#include "emit/text/render.h"

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace tally::codegen::emit {

namespace {

/// The library leaves an empty line for a section that is not rendered. An inverted empty section, added to
/// the line that closes it, removes that line.
std::string withoutTraces(const std::string& text) {
  std::istringstream in{text};
  std::string result;
  std::set<std::string> inverted;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("{{^")) inverted.insert(line.substr(3, line.size() - 5));
    result.append(line);
    if (line.starts_with("{{/") && line.ends_with("}}")) {
      const std::string name = line.substr(3, line.size() - 5);
      result.append(inverted.erase(name) > 0 ? "{{#" : "{{^").append(name).append("}}{{/").append(name) +=
          "}}";
    }
    result += '\n';
  }
  return result;
}

}  // namespace

std::string Templates::render(const std::string& name, const Data& data) {
  kainjow::mustache::context<std::string> context{&common_};
  context.push(&data);
  return load(name).render(context);
}

kainjow::mustache::mustache& Templates::load(const std::string& name) {
  if (const auto found = loaded_.find(name); found != loaded_.end()) return found->second;
  const std::filesystem::path path = folder_ / (name + ".mustache");
  std::ifstream in{path, std::ios::binary};
  if (!in)
    throw std::runtime_error{path.string() + ": can't be read; pass the template folder with --templates"};
  kainjow::mustache::mustache loaded{withoutTraces({std::istreambuf_iterator<char>{in}, {}})};
  if (!loaded.is_valid()) throw std::runtime_error{path.string() + ": " + loaded.error_message()};
  loaded.set_custom_escape([](const std::string& text) { return text; });
  return loaded_.emplace(name, std::move(loaded)).first->second;
}

Data object(std::initializer_list<Entry> entries) {
  Data result;
  for (const Entry& entry : entries)
    result[entry.name] = std::move(entry.value);
  return result;
}

}  // namespace tally::codegen::emit
