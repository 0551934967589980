#include <algorithm>
#include <vector>

#include "load/provenance.h"
#include "model/build_steps.h"

namespace tally::codegen::model {

namespace {

std::vector<std::string> split(const std::string& pointer) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
    result.push_back(pointer.substr(at + 1, end - at - 1));
    at = end;
  }
  return result;
}

std::string code(const std::string& text) {
  return '`' + text + '`';
}

std::string operationPart(const load::Documents& documents, const Node& node,
                          const std::vector<std::string>& segments) {
  const Node operation = load::target(documents, node, "#/paths/" + segments[1] + '/' + segments[2]);
  std::string name = code(operation.text("operationId"));
  if (segments.size() == 3) return name;
  if (segments[3] == "requestBody" && segments.size() == 4) return "body of " + name;
  if (segments[3] == "parameters" && segments.size() == 5)
    return "parameter " + code(node.text("name")) + " of " + name;
  return code(segments.back()) + " of " + name;
}

std::string schemaPart(const Node& node, const std::vector<std::string>& segments) {
  const std::string& schema = segments[2];
  std::string path = schema;
  for (std::size_t i = 3; i < segments.size(); ++i) {
    if (segments[i] == "x-states") {
      if (segments.size() == i + 1) return "states of " + code(schema);
      if (segments[i + 1] == "states") return "state " + code(segments.back()) + " of " + code(schema);
      return code(node.text("trigger")) + " on " + code(schema);
    }
    if (segments[i] == "x-searchable") return "searchable fields of " + code(schema);
    if (segments[i] == "properties") ++i;  // the name of a field follows
    path += '.' + segments[i];
  }
  return code(path);
}

std::string componentPart(const Node& node, const std::vector<std::string>& segments) {
  const std::string& kind = segments[1];
  if (kind == "schemas") return schemaPart(node, segments);
  if (kind == "parameters") return "parameter " + code(node.text("name"));
  if (kind == "headers") return "header " + code(node.text("x-name"));
  if (kind == "securitySchemes") return "security scheme " + code(segments[2]);
  return "response " + code(segments[2]);
}

void note(std::vector<std::string>& places, const std::string& place) {
  if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
}

template <class Item, class Name>
void noteIn(std::vector<Item>& items, Name Item::* name, const std::string& wanted,
            const std::string& place) {
  for (Item& item : items)
    if (item.*name == wanted) note(item.places, place);
}

void addAssumptions(const Node& root, Description& description) {
  root["x-assumptions"].members([&](const std::string& key, const Node& node) {
    description.assumptions.push_back({.key = key,
                                       .point = node.text("point"),
                                       .choice = node.text("choice"),
                                       .reason = node.text("reason"),
                                       .setting = node.text("setting")});
  });
}

/// The readable name of a place in the description: `payment_records.list`, `payment_record.created`.
std::string spokenName(const load::Documents& documents, const Node& node) {
  const std::vector<std::string> segments = split(node.pointer());
  if (segments.size() >= 3 && segments[0] == "paths") return operationPart(documents, node, segments);
  if (segments.size() >= 3 && segments[0] == "components") return componentPart(node, segments);
  if (segments.size() == 2 && segments[0] == "x-errors") return "error " + code(segments[1]);
  if (segments.size() == 2 && segments[0] == "x-limits") return "limit " + code(node.text("name"));
  if (segments[0] == "x-read-allocation") return "the read allocation";
  return code(node.place().str());
}

}  // namespace

void buildSources(const load::Documents& documents, Description& description) {
  const Node root{documents.at("root.json")};
  addAssumptions(root, description);
  for (const auto& [name, document] : documents)
    if (name != "root.json") addAssumptions(Node{document}, description);
  root["x-sections"].elements(
      [&](const Node& name) { description.sections.push_back({.name = name.text()}); });
  for (const load::Attribution& attribution : load::attributions(documents)) {
    const std::string place = spokenName(documents, attribution.node);
    noteIn(description.sections, &Section::name, attribution.section, place);
    for (const std::string& key : attribution.assumptions)
      noteIn(description.assumptions, &Assumption::key, key, place);
  }
}

}  // namespace tally::codegen::model
