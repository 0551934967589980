#include "load/provenance.h"

#include <set>
#include <utility>

#include "load/shapes.h"

namespace tally::codegen::load {

namespace {

std::vector<std::string> texts(const Node& node) {
  if (!node) return {};
  if (node.value().is_string()) return {node.text()};
  std::vector<std::string> result;
  node.elements([&](const Node& element) { result.push_back(element.text()); });
  return result;
}

Attribution own(const Node& node) {
  return {node, node.text("x-documented"), texts(node["x-assumed"])};
}

bool says(const Attribution& attribution) {
  return !attribution.section.empty() || !attribution.assumptions.empty();
}

class ProvenanceCheck {
 public:
  ProvenanceCheck(const Documents& documents, Problems& problems)
      : documents_(documents), problems_(problems) {
    for (const auto& [name, document] : documents)
      declare(Node{document});
  }

  void run() {
    for (const Attribution& attribution : attributions(documents_))
      check(attribution);
    for (const auto& [name, document] : documents_)
      checkFacts(Node{document}, documentShape);
    for (const auto& [key, node] : assumptions_)
      unused(key, node);
  }

 private:
  void declare(const Node& root) {
    for (std::string& section : texts(root["x-sections"]))
      sections_.insert(std::move(section));
    root["x-assumptions"].members([&](const std::string& key, const Node& node) { assume(key, node); });
  }

  void assume(const std::string& key, const Node& node) {
    if (!names_.insert(key).second)
      problems_.add(node, "the assumption " + inQuotes(key) + " is defined in two files",
                    "rename it in one of them");
    assumptions_.emplace_back(key, node);
  }

  void check(const Attribution& attribution) {
    const std::string& section = attribution.section;
    if (!section.empty() && !sections_.contains(section))
      problems_.add(attribution.node["x-documented"], "unknown section " + inQuotes(section),
                    "name one of the x-sections in root.json, or add this one there");
    for (const std::string& key : attribution.assumptions) {
      used_.insert(key);
      if (!names_.contains(key))
        problems_.add(attribution.node["x-assumed"], "unknown assumption " + inQuotes(key),
                      "name a key of x-assumptions, or add this one there");
    }
  }

  /// What states a fact, according to its shape, needs a source: its own or an inherited one.
  void checkFacts(const Node& node, const Shape& shape) {
    if (says(own(node)) || node.has("$ref")) return;
    if (shape.fact) return missing(node);
    node.members([&](const std::string& name, const Node& member) {
      if (const Key* key = find(shape.keys, name))
        forEachOf(*key, member, [&](const Node& each) { checkFacts(each, *key->shape); });
    });
  }

  void missing(const Node& node) {
    problems_.add(
        node, "no source given",
        "add x-documented with a section, or x-assumed with an assumption, here or on an enclosing object");
  }

  void unused(const std::string& key, const Node& node) {
    const bool general = node.flag("general", false);
    if (!general && !used_.contains(key))
      problems_.add(node, "unused assumption",
                    "name it in x-assumed, mark it \"general\": true, or remove it");
    if (general && used_.contains(key))
      problems_.add(node, "a general assumption, but x-assumed names it", "remove \"general\"");
  }

  const Documents& documents_;
  Problems& problems_;
  std::set<std::string> sections_{};
  std::set<std::string> names_{};
  std::set<std::string> used_{};
  std::vector<std::pair<std::string, Node>> assumptions_{};
};

}  // namespace

std::vector<Attribution> attributions(const Documents& documents) {
  std::vector<Attribution> result;
  for (const auto& [name, document] : documents)
    forEachShaped(Node{document}, documentShape, [&](const Node& node, const Shape&) {
      if (Attribution attribution = own(node); says(attribution)) result.push_back(std::move(attribution));
    });
  return result;
}

Attribution attributionOf(const Documents& documents, const Node& node) {
  std::string pointer = node.pointer();
  for (;;) {
    const Node at = target(documents, node, '#' + pointer);
    if (Attribution attribution = own(at); says(attribution)) return attribution;
    if (pointer.empty()) return {};
    pointer.resize(pointer.rfind('/'));
  }
}

void checkProvenance(const Documents& documents, Problems& problems) {
  ProvenanceCheck{documents, problems}.run();
}

}  // namespace tally::codegen::load
