#include "load/references.h"

#include <charconv>

#include "load/shapes.h"

namespace tally::codegen::load {

namespace {

constexpr int longestChain = 16;

std::string unescaped(std::string_view segment) {
  std::string result;
  for (std::size_t i = 0; i < segment.size(); ++i) {
    const bool escape = segment[i] == '~' && i + 1 < segment.size();
    result += !escape ? segment[i] : segment[++i] == '1' ? '/' : '~';
  }
  return result;
}

Node step(const Node& node, const std::string& segment) {
  if (!node.value().is_array()) return node[segment];
  std::size_t index = 0;
  const char* end = segment.data() + segment.size();
  const auto parsed = std::from_chars(segment.data(), end, index);
  return parsed.ec == std::errc{} && parsed.ptr == end ? node.at(index) : Node{};
}

Node walk(Node node, std::string_view pointer) {
  while (node && !pointer.empty()) {
    if (pointer.front() != '/') return {};
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    node = step(node, unescaped(pointer.substr(0, end)));
    pointer.remove_prefix(end);
  }
  return node;
}

bool isReference(const Node& node) {
  const Node reference = node["$ref"];
  return reference && reference.value().is_string();
}

/// The first segment of a pointer, without its slash, which is removed from the pointer.
std::string_view takeSegment(std::string_view& pointer) {
  pointer.remove_prefix(1);
  const std::string_view segment = pointer.substr(0, pointer.find('/'));
  pointer.remove_prefix(segment.size());
  return segment;
}

/// Whether `pointer`, which is inside a schema, leads to another one.
bool leadsToSchema(std::string_view pointer) {
  while (!pointer.empty()) {
    const std::string_view key = takeSegment(pointer);
    if (key == "properties" && !pointer.empty()) {
      takeSegment(pointer);
    } else if (key != "items" && key != "additionalProperties") {
      return false;
    }
  }
  return true;
}

/// Whether a reference leads to what may be in its place: a component of that folder, or a schema in one.
bool leadsTo(std::string_view folder, std::string_view reference) {
  std::string_view pointer = reference.substr(reference.find('#') + 1);
  takeSegment(pointer);
  if (pointer.empty() || takeSegment(pointer) != folder || pointer.empty()) return false;
  takeSegment(pointer);
  return pointer.empty() || (folder == "schemas" && leadsToSchema(pointer));
}

void checkReference(const Documents& documents, const Node& node, const Shape& shape, Problems& problems) {
  const std::string reference = node.text("$ref");
  if (!target(documents, node, reference)) {
    return problems.add(node["$ref"], "dangling reference " + inQuotes(reference),
                        "refer to something that exists in the description");
  }
  if (!resolve(documents, node)) {
    return problems.add(node["$ref"], "the reference " + inQuotes(reference) + " is circular",
                        "end it at a definition");
  }
  if (reference.find("#/components/") == std::string::npos) {
    problems.add(node["$ref"], "the reference " + inQuotes(reference) + " points outside the components",
                 "move its target into the components");
  } else if (!leadsTo(shape.component, reference)) {
    problems.add(node["$ref"],
                 "the reference " + inQuotes(reference) + " does not lead to " + std::string{shape.name},
                 "refer to one in #/components/" + std::string{shape.component});
  }
}

}  // namespace

Node target(const Documents& documents, const Node& from, std::string_view reference) {
  const std::size_t hash = reference.find('#');
  if (hash == std::string_view::npos) return {};
  const std::string_view file = hash == 0 ? from.document().name : reference.substr(0, hash);
  const auto found = documents.find(file);
  return found == documents.end() ? Node{} : walk(Node{found->second}, reference.substr(hash + 1));
}

Node resolve(const Documents& documents, const Node& node) {
  Node current = node;
  for (int i = 0; i < longestChain; ++i) {
    if (!current || !isReference(current)) return current;
    current = target(documents, current, current.text("$ref"));
  }
  return {};
}

void checkReferences(const Documents& documents, Problems& problems) {
  for (const auto& [name, document] : documents)
    forEachShaped(Node{document}, documentShape, [&](const Node& node, const Shape& shape) {
      if (!shape.component.empty() && isReference(node)) checkReference(documents, node, shape, problems);
    });
}

}  // namespace tally::codegen::load
