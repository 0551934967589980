#include "load/load.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "load/provenance.h"
#include "load/shape_check.h"

namespace tally::codegen::load {

namespace {

using Paths = std::vector<std::filesystem::path>;

Paths filesOf(const Paths& paths) {
  Paths result;
  for (const auto& path : paths) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      result.push_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator{path, error})
      if (entry.path().extension() == ".json") result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

void checkVersions(const Documents& documents, Problems& problems) {
  const std::string version = Node{documents.at("root.json")}["info"].text("version");
  for (const auto& [name, document] : documents) {
    const Node own = Node{document}["info"]["version"];
    if (own.text() != version)
      problems.add(
          own, "version " + inQuotes(own.text()) + " differs from that of root.json, " + inQuotes(version),
          "give all files the same version");
  }
}

/// Only those of root.json apply.
void checkComponents(const Node& components, Problems& problems) {
  if (const Node headers = components["headers"])
    problems.add(headers, "headers outside root.json", "move them there");
  components["parameters"].members([&](const std::string&, const Node& parameter) {
    if (parameter.text("in") == "header")
      problems.add(parameter, "a header outside root.json", "move it there");
  });
  components["schemas"].members([&](const std::string&, const Node& schema) {
    if (schema.has("x-convention")) problems.add(schema, "a convention outside root.json", "move it there");
  });
}

void checkRoot(const Documents& documents, Problems& problems) {
  for (const auto& [name, document] : documents) {
    if (name == "root.json") continue;
    const Node root{document};
    if (const Node sections = root["x-sections"])
      problems.add(sections, "sections outside root.json", "move them there");
    if (const Node allocation = root["x-read-allocation"])
      problems.add(allocation, "the read allocation outside root.json", "move it there");
    checkComponents(root["components"], problems);
  }
}

}  // namespace

std::optional<Documents> load(const Paths& paths, Problems& problems) {
  Documents documents;
  bool isRootUnreadable = false;
  for (const auto& path : filesOf(paths)) {
    std::optional<Document> document = readDocument(path, problems);
    isRootUnreadable = isRootUnreadable || (!document && path.filename() == "root.json");
    if (!document) continue;
    const std::string name = document->name;
    if (!documents.emplace(name, std::move(*document)).second)
      problems.add(name + ": two files have this name, so references can't distinguish them; rename one");
  }
  return isRootUnreadable ? std::nullopt : check(std::move(documents), problems);
}

std::optional<Documents> check(Documents documents, Problems& problems) {
  if (!documents.contains("root.json"))
    problems.add(
        "root.json: the file with the shared definitions is missing; pass it or its folder with --api");
  for (const auto& [name, document] : documents)
    checkShape(document, problems);
  if (!problems.empty()) return std::nullopt;
  checkRoot(documents, problems);
  checkVersions(documents, problems);
  checkReferences(documents, problems);
  checkProvenance(documents, problems);
  if (!problems.empty()) return std::nullopt;
  return documents;
}

}  // namespace tally::codegen::load
