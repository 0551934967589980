#include <algorithm>
#include <iterator>
#include <string_view>

#include "model/build_steps.h"
#include "model/named.h"
#include "model/names.h"
#include "model/schema_facts.h"

namespace tally::codegen::model {

namespace {

/// The values of `applies_to`.
constexpr std::pair<std::string_view, AppliesTo> operationsOfErrors[] = {
    {"all", AppliesTo::all},       {"objects", AppliesTo::objects},
    {"lists", AppliesTo::lists},   {"parameters", AppliesTo::parameters},
    {"bodies", AppliesTo::bodies}, {"changes", AppliesTo::changes},
    {"reads", AppliesTo::reads},
};

AppliesTo appliesTo(const Node& error, Problems& problems) {
  const Node node = error["applies_to"];
  return node ? named(operationsOfErrors, node, "group of operations", problems).value_or(AppliesTo::none)
              : AppliesTo::none;
}

ErrorResponse errorOf(const std::string& name, const Node& node) {
  return {.name = name,
          .cppName = camelCase(name),
          .status = node.integer("status").value_or(0),
          .type = node.text("type"),
          .code = node.text("code"),
          .message = node.text("message"),
          .requestId = node.flag("request_id", true),
          .rateLimitedReason = node.flag("reason", false),
          .place = node.place()};
}

/// Messages may contain these in braces.
constexpr std::string_view placeholders[] = {"{param}", "{value}", "{resource}", "{detail}"};

void checkMessage(const Node& message, Problems& problems) {
  const std::string text = message.text();
  for (std::size_t begin = text.find('{'); begin != std::string::npos; begin = text.find('{', begin + 1)) {
    const std::size_t end = text.find('}', begin);
    const std::string found = text.substr(begin, end == std::string::npos ? end : end + 1 - begin);
    if (std::ranges::find(placeholders, found) == std::end(placeholders))
      problems.add(message, "unknown placeholder " + inQuotes(found),
                   "use {param}, {value}, {resource} or {detail}");
  }
}

/// Whether HTTP allows the name of a header (RFC 9110, 5.6.2).
bool isToken(std::string_view name) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  const auto belongs = [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           marks.find(c) != std::string_view::npos;
  };
  return std::ranges::all_of(name, belongs);
}

void addHeader(const std::string& key, const std::string& name, const Node& node, Description& description,
               Problems& problems) {
  checkName(key, camelCase(key), node.place(), problems);
  if (!isToken(name))
    problems.add(node, inQuotes(name) + " can't be the name of a header", "use letters, digits and hyphens");
  for (const Header& other : description.headers)
    if (other.cppName == camelCase(key))
      problems.add(node, "two headers map to " + inQuotes(camelCase(key)), "rename one of the two");
  description.headers.push_back({camelCase(key), name, node.text("description")});
}

std::int64_t number(const Node& node, std::string_view key, Problems& problems) {
  const auto value = node.integer(key);
  if (!value) problems.add(node, "lacks the number " + inQuotes(key), "add it: lists and searches need it");
  if (value && *value < 1) problems.add(node[key], "not a positive number", "make it 1 or more");
  return value.value_or(0);
}

/// The schema in root.json that has the x-convention `name`.
Node convention(const Node& root, std::string_view name, Problems& problems) {
  Node found;
  root["components"]["schemas"].members([&](const std::string&, const Node& schema) {
    if (schema.text("x-convention") != name) return;
    if (found)
      problems.add(schema, "a second schema has the x-convention " + inQuotes(name), "keep one of them");
    found = schema;
  });
  if (!found)
    problems.add({"root.json", "/components/schemas"}, "no schema has the x-convention " + inQuotes(name),
                 "mark the one that defines it");
  return found;
}

}  // namespace

void buildErrors(const load::Documents& documents, Description& description, Problems& problems) {
  for (const auto& [file, document] : documents)
    Node{document}["x-errors"].members([&](const std::string& name, const Node& node) {
      checkName(name, camelCase(name), node.place(), problems);
      checkName(node.text("code"), camelCase(node.text("code")), node["code"].place(), problems);
      checkMessage(node["message"], problems);
      const std::int64_t status = node.integer("status").value_or(0);
      if (status < 400 || status > 599)
        problems.add(node["status"], "the status of an error response must be from 400 to 599", "fix it");
      ErrorResponse& error = description.errors.emplace_back(errorOf(name, node));
      error.appliesTo = appliesTo(node, problems);
      error.provenance = provenanceOf(documents, node);
    });
}

void buildConventions(const load::Documents& documents, Description& description, Problems& problems) {
  const Node root{documents.at("root.json")};
  const Node parameters = root["components"]["parameters"];
  root["components"]["headers"].members([&](const std::string& key, const Node& header) {
    addHeader(key, header.text("x-name"), header, description, problems);
  });
  parameters.members([&](const std::string& key, const Node& parameter) {
    if (parameter.text("in") == "header")
      addHeader(key, parameter.text("name"), parameter, description, problems);
  });
  convention(root, "list", problems);
  convention(root, "error", problems);
  const Node total = convention(root, "search", problems)["properties"]["total_count"];
  const Node limit = parameters["limit"]["schema"];
  if (!limit || !total)
    return problems.add({"root.json", "/components"},
                        "lacks the parameter 'limit' or the field 'total_count'",
                        "add the missing one: lists and searches need both");
  description.conventions = {number(limit, "minimum", problems), number(limit, "maximum", problems),
                             number(limit, "default", problems), number(total, "maximum", problems)};
}

}  // namespace tally::codegen::model
