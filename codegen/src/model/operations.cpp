#include <algorithm>
#include <span>
#include <string_view>

#include "model/build_steps.h"
#include "model/named.h"
#include "model/names.h"
#include "model/schema_facts.h"

namespace tally::codegen::model {

namespace {

constexpr std::string_view formType = "application/x-www-form-urlencoded";

/// A parameter that all lists or searches have.
struct ConventionParameter {
  std::string_view name;
  Kind kind;
  bool required;
  std::string_view is;  // for messages
};

std::span<const ConventionParameter> conventionParameters(OperationKind kind) {
  static constexpr ConventionParameter limit{"limit", Kind::integer, false, "an optional integer"};
  static constexpr ConventionParameter ofLists[] = {
      limit,
      {"starting_after", Kind::id, false, "an optional identifier"},
      {"ending_before", Kind::id, false, "an optional identifier"}};
  static constexpr ConventionParameter ofSearches[] = {{"query", Kind::query, true, "a required string"},
                                                       limit,
                                                       {"page", Kind::string, false, "an optional string"}};
  if (kind == OperationKind::list) return ofLists;
  if (kind == OperationKind::search) return ofSearches;
  return {};
}

/// Whether requests can have this path, and routes can distinguish it.
bool isPath(std::string_view path) {
  if (!path.starts_with("/v1/") && !path.starts_with("/v2/")) return false;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    if (segment != "{id}" && !isPlain(segment)) return false;
    path.remove_prefix(segment.size());
  }
  return true;
}

bool isConventional(const std::string& name) {
  static constexpr std::string_view names[] = {"limit", "starting_after", "ending_before",
                                               "query", "page",           "expand"};
  return std::ranges::find(names, name) != std::end(names);
}

class Operations {
 public:
  Operations(const load::Documents& documents, Description& description, Schemas& schemas, Problems& problems)
      : documents_(documents), description_(description), schemas_(schemas), problems_(problems) {}

  void build() {
    for (const auto& [name, document] : documents_)
      Node{document}["paths"].members(
          [&](const std::string& path, const Node& node) { addPath(path, node); });
  }

 private:
  void addPath(const std::string& path, const Node& node) {
    if (schemas_.resourceOf(node.document().name) == nullptr)
      return problems_.add(node, "a path in a file without a resource", "move it to a resource's file");
    if (!isPath(path))
      problems_.add(node, "the path " + inQuotes(path) + " can't be requested",
                    "begin it with /v1/ or /v2/; make each segment {id}, or lowercase letters, digits and "
                    "single underscores");
    node.members(
        [&](const std::string& method, const Node& operation) { add(path, operation, method == "post"); });
  }

  void add(const std::string& path, const Node& node, bool post) {
    const Tag& self = *schemas_.resourceOf(node.document().name);
    Operation& operation = description_.operations.emplace_back();
    operation.path = path;
    operation.post = post;
    operation.kind =
        named(operationKinds, node["x-kind"], "kind", problems_).value_or(OperationKind::retrieve);
    operation.summary = node.text("summary");
    operation.place = node.place();
    operation.provenance = provenanceOf(documents_, node);
    name(operation, node, self);
    addParams(operation, node, self);
    checkMethod(operation, node);
    checkPath(operation, node);
    checkResponse(operation, node, self);
    checkConvention(operation, node);
    checkFilters(operation, self);
  }

  void name(Operation& operation, const Node& node, const Tag& self) {
    const std::string plural = self.file.substr(0, self.file.rfind('.'));
    operation.name = node.text("operationId");
    const std::string_view name{operation.name};
    if (!name.starts_with(plural + '.'))
      problems_.add(node["operationId"], inQuotes(operation.name) + " is not named after its resource",
                    "start it with " + inQuotes(plural + '.'));
    else if (name.rfind('.') != plural.size())
      problems_.add(node["operationId"], inQuotes(operation.name) + " has more than one dot",
                    "make it the plural, a dot and the method");
    const std::string method{name.substr(name.rfind('.') + 1)};
    operation.method = camelCase(method);
    operation.cppName = camelCase(plural) + pascalCase(method);
    checkName(method, operation.method, node["operationId"].place(), problems_);
  }

  void addParams(Operation& operation, const Node& node, const Tag& self) {
    const std::string method = operation.name.substr(operation.name.rfind('.') + 1);
    Struct& params = schemas_.addParams(self.name + '_' + method + "_params", self, node);
    params.description = pascalCase(self.file.substr(0, self.file.rfind('.'))) + "::" + operation.method;
    addQuery(params, node["parameters"], self);
    if (node.has("requestBody")) addBody(operation, params, node["requestBody"], self);
    if (params.fields.empty()) {
      description_.structs.pop_back();
      return;
    }
    operation.params = &params;
    if (operation.kind == OperationKind::search) markQuery(params, self);
    if (operation.body != Body::json) checkConstants(params);
    schemas_.finish(params);
  }

  /// Only JSON contains the constants of its schema.
  void checkConstants(const Struct& params) {
    for (const Field& field : params.fields) {
      if (field.type.kind == Kind::constant)
        problems_.add(field.place, "a constant among parameters that are not JSON",
                      "remove it: no call sends it");
      const Type& type = field.type.kind == Kind::list ? field.type.element.front() : field.type;
      if (type.object != nullptr) checkConstants(*type.object);
    }
  }

  static void markQuery(Struct& params, const Tag& self) {
    for (Field& field : params.fields)
      if (field.name == "query" && field.type.kind == Kind::string)
        field.type = {.kind = Kind::query, .tag = &self};
  }

  void addQuery(Struct& params, const Node& parameters, const Tag& self) {
    parameters.elements([&](const Node& parameter) {
      addParameter(params, parameter, load::resolve(documents_, parameter), self);
    });
  }

  void addParameter(Struct& params, const Node& parameter, const Node& resolved, const Tag& self) {
    const std::string in = resolved.text("in");
    if (in == "path") return;
    if (in != "query")
      return problems_.add(parameter, "a parameter in " + inQuotes(in), "make it a query parameter");
    const Node schema = resolved["schema"];
    // It would be named after the first operation that has the parameter.
    if (parameter.has("$ref") && !schema.has("$ref") && !isPlainType(schema))
      problems_.add(schema, "a shared parameter with a type that has no name",
                    "move its schema to #/components/schemas, and refer to it");
    Field& field = schemas_.addField(params, resolved.text("name"), resolved.flag("required", false),
                                     resolved, schema, &self);
    field.excludes = resolved.text("x-excludes");
  }

  void addBody(Operation& operation, Struct& params, const Node& body, const Tag& self) {
    operation.body = body["content"].has(formType) ? Body::form : Body::json;
    if (body["content"].size() != 1)
      return problems_.add(body["content"], "not exactly one media type", "keep the one that clients send");
    const Node schema = load::resolve(documents_, body["content"].has(formType)
                                                      ? body["content"][formType]["schema"]
                                                      : body["content"]["application/json"]["schema"]);
    if (schema.text("type") != "object")
      return problems_.add(schema, "a body that is not an object", "make its type object");
    schemas_.addProperties(params, schema, &self);
  }

  void checkMethod(const Operation& operation, const Node& node) {
    const bool reads = operation.pages() || operation.kind == OperationKind::retrieve;
    if (reads == operation.post)
      problems_.add(node, "the kind " + inQuotes(node.text("x-kind")) + " does not allow this method",
                    reads ? "use get" : "use post");
    if (reads == node.has("requestBody"))
      problems_.add(node, reads ? "a read operation with a body" : "a write operation without a body",
                    reads ? "move its parameters to the query" : "add a requestBody");
    bool query = false;
    node["parameters"].elements([&](const Node& parameter) {
      query = query || load::resolve(documents_, parameter).text("in") == "query";
    });
    if (!reads && query)
      problems_.add(node["parameters"], "a write operation with query parameters", "move them to the body");
  }

  void checkPath(const Operation& operation, const Node& node) {
    const std::size_t braces =
        static_cast<std::size_t>(std::count(operation.path.begin(), operation.path.end(), '{'));
    const bool id = operation.path.find("/{id}") != std::string::npos;
    if (operation.hasId() != id || braces != (id ? 1U : 0U))
      return problems_.add(
          node, "the kind " + inQuotes(node.text("x-kind")) + " does not allow this path",
          operation.hasId() ? "use {id} as its only path parameter" : "remove the path parameters");
    bool parameter = false;
    node["parameters"].elements([&](const Node& p) {
      const Node resolved = load::resolve(documents_, p);
      if (resolved.text("in") != "path") return;
      parameter = parameter || resolved.text("name") == "id";
      if (resolved.text("name") != "id")
        problems_.add(p, "a parameter " + inQuotes(resolved.text("name")) + " that is not in the path",
                      "remove it");
    });
    if (parameter != id)
      problems_.add(node, id ? "lacks the parameter 'id'" : "a parameter 'id' that is not in the path",
                    id ? "refer to root.json#/components/parameters/id" : "remove it");
  }

  void checkResponse(const Operation& operation, const Node& node, const Tag& self) {
    const Node failure = load::resolve(documents_, node["responses"]["default"]);
    const Node failureSchema = load::resolve(documents_, failure["content"]["application/json"]["schema"]);
    if (failureSchema.text("x-convention") != "error")
      problems_.add(node["responses"]["default"], "the response does not follow the error convention",
                    "refer to root.json#/components/responses/error");
    const Node response = load::resolve(documents_, node["responses"]["200"]);
    const Node schema = response["content"]["application/json"]["schema"];
    if (!schema) return problems_.add(response, "a response that is not JSON", "use application/json");
    if (operation.pages()) return checkPage(operation, schema, self);
    if (!isModel(schema, self))
      problems_.add(schema, "the response is not a " + self.name,
                    "refer to #/components/schemas/" + self.name);
  }

  void checkPage(const Operation& operation, const Node& schema, const Tag& self) {
    const std::string convention = operation.kind == OperationKind::list ? "list" : "search";
    const Node parts = schema["allOf"];
    const bool two = parts.size() == 2;
    const Node base = two ? load::resolve(documents_, parts.at(0)) : Node{};
    const Node data = two ? parts.at(1)["properties"]["data"] : Node{};
    if (!two || base.text("x-convention") != convention || !data.has("items") ||
        !isModel(data["items"], self))
      problems_.add(schema, "the response does not follow the " + convention + " convention",
                    "make it an allOf of the root schema with x-convention " + inQuotes(convention) +
                        " and an object whose data items refer to #/components/schemas/" + self.name);
  }

  void checkConvention(const Operation& operation, const Node& node) {
    for (const ConventionParameter& parameter : conventionParameters(operation.kind))
      checkConvention(operation, node, parameter);
    if (operation.params == nullptr) return;
    for (const Field& field : operation.params->fields)
      if (!field.excludes.empty()) checkExclusion(*operation.params, field);
  }

  void checkConvention(const Operation& operation, const Node& node, const ConventionParameter& parameter) {
    const std::string name{parameter.name};
    const Field* field = operation.params == nullptr ? nullptr : operation.params->find(name);
    if (field == nullptr)
      return problems_.add(node, "lacks the parameter " + inQuotes(name),
                           "refer to root.json#/components/parameters/" + name);
    if (field->type.kind != parameter.kind || field->required != parameter.required)
      problems_.add(field->place, inQuotes(name) + " is not " + std::string{parameter.is}, "make it one");
  }

  void checkExclusion(const Struct& params, const Field& field) {
    if (params.find(field.excludes) == nullptr)
      problems_.add(field.place,
                    "excludes the parameter " + inQuotes(field.excludes) + ", which does not exist here",
                    "fix x-excludes");
    if (field.excludes == field.name)
      problems_.add(field.place, inQuotes(field.name) + " excludes itself", "fix x-excludes");
  }

  void checkFilters(const Operation& operation, const Tag& self) {
    const Struct* model =
        schemas_.structAt(Node{documents_.at(self.file)}["components"]["schemas"][self.name]);
    if (operation.kind != OperationKind::list || operation.params == nullptr || model == nullptr) return;
    for (const Field& field : operation.params->fields) {
      const Field* filtered = model->find(field.name);
      if (!isConventional(field.name) && (filtered == nullptr || filtered->type != field.type))
        problems_.add(
            field.place,
            "the filter " + inQuotes(field.name) + " matches no field of " + self.name + " in name and type",
            "name one of its fields and refer to the schema of that field");
    }
  }

  bool isModel(const Node& schema, const Tag& self) const {
    const Node resolved = load::resolve(documents_, schema);
    return resolved.document().name == self.file && resolved.pointer() == "/components/schemas/" + self.name;
  }

  const load::Documents& documents_;
  Description& description_;
  Schemas& schemas_;
  Problems& problems_;
};

}  // namespace

void buildOperations(const load::Documents& documents, Schemas& schemas, Description& description,
                     Problems& problems) {
  Operations{documents, description, schemas, problems}.build();
}

}  // namespace tally::codegen::model
