#include "load/facts.h"

#include "load/shapes.h"

namespace tally::codegen::load {

namespace {

void collect(const Node& node, const Shape& shape, std::vector<Node>& out) {
  if (node.has("x-documented") || node.has("x-assumed") || node.has("$ref")) return;
  if (shape.fact) return out.push_back(node);
  node.members([&](const std::string& name, const Node& member) {
    if (const Key* key = find(shape.keys, name))
      forEachOf(*key, member, [&](const Node& each) { collect(each, *key->shape, out); });
  });
}

}  // namespace

std::vector<Node> factsWithoutProvenance(const Document& document) {
  std::vector<Node> result;
  collect(Node{document}, documentShape, result);
  return result;
}

}  // namespace tally::codegen::load
