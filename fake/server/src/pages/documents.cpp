#include "pages/documents.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "pages/embedded_files.h"

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

constexpr std::string_view rootFile = "root.json";
constexpr std::string_view controlFile = "control.openapi.json";

/// Parses a file of the API description. References to the root file become references within the document.
json::object parsedFile(std::string_view text) {
  static constexpr std::string_view toRoot = "\"root.json#/";
  std::string local{text};
  for (std::size_t at = local.find(toRoot); at != std::string::npos; at = local.find(toRoot, at))
    local.replace(at, toRoot.size(), "\"#/");
  return json::parse(local).as_object();
}

/// Adds the members of `more` to the object that is member `name` of `object`.
void addMembers(json::object& object, std::string_view name, const json::object& more) {
  json::value& place = object[name];
  json::object& members = place.is_object() ? place.get_object() : place.emplace_object();
  for (const auto& [key, member] : more)
    members[key] = member;
}

/// The document without the members that only the generator reads.
json::object withoutExtensions(const json::object& document) {
  json::object kept;
  for (const auto& [name, member] : document)
    if (!name.starts_with("x-")) kept[name] = member;
  return kept;
}

std::string mergedDocument() {
  json::object document = withoutExtensions(parsedFile(embeddedFile(rootFile)));
  document["info"].as_object()["description"] =
      "All resources, as tally-fake serves them. The x- members name the section of the specification, or "
      "the "
      "assumption, that a fact rests on.";
  document["servers"] = {{{"url", "/"}}};
  for (const EmbeddedFile& file : embeddedFiles) {
    if (!file.name.ends_with(".json") || file.name == rootFile || file.name == controlFile) continue;
    const json::object more = parsedFile(file.text);
    addMembers(document, "paths", more.at("paths").as_object());
    for (const auto& [kind, components] : more.at("components").as_object())
      addMembers(document["components"].as_object(), kind, components.as_object());
  }
  return json::serialize(document);
}

}  // namespace

const std::string& apiDocument() {
  static const std::string document = mergedDocument();
  return document;
}

std::string_view controlDocument() {
  return embeddedFile(controlFile);
}

}  // namespace tally::fake::detail
