#include "load/facts.h"

#include "load/shapes.h"

namespace tally::codegen::load {

namespace {

const Shape* childShape(const Shape& shape, const std::string& name, Form form) {
  for (const Key& key : shape.keys)
    if (key.name == name && key.form == form) return key.shape;
  return nullptr;
}

void collect(const Node& node, const Shape& shape, std::vector<Node>& out) {
  if (node.has("x-documented") || node.has("x-assumed") || node.has("$ref")) return;
  if (shape.fact) return out.push_back(node);
  node.members([&](const std::string& name, const Node& member) {
    if (const Shape* below = childShape(shape, name, Form::object)) collect(member, *below, out);
    if (const Shape* below = childShape(shape, name, Form::map))
      member.members([&](const std::string&, const Node& entry) { collect(entry, *below, out); });
    if (const Shape* below = childShape(shape, name, Form::list))
      member.elements([&](const Node& element) { collect(element, *below, out); });
  });
}

}  // namespace

std::vector<Node> factsWithoutProvenance(const Document& document) {
  std::vector<Node> result;
  collect(Node{document}, documentShape, result);
  return result;
}

}  // namespace tally::codegen::load
