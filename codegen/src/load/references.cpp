#include "load/references.h"

#include <charconv>

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

void checkReference(const Documents& documents, const Node& node, Problems& problems) {
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
  }
}

void checkBelow(const Documents& documents, const Node& node, Problems& problems) {
  if (isReference(node)) checkReference(documents, node, problems);
  node.members([&](const std::string& key, const Node& member) {
    if (key != "example") checkBelow(documents, member, problems);
  });
  node.elements([&](const Node& element) { checkBelow(documents, element, problems); });
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
    checkBelow(documents, Node{document}, problems);
}

}  // namespace tally::codegen::load
