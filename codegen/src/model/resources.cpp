
#include <boost/json/serialize.hpp>

#include "model/build_steps.h"
#include "model/example.h"
#include "model/names.h"

namespace tally::codegen::model {

namespace {

class Resources {
 public:
  Resources(const load::Documents& documents, const Schemas& schemas, Description& description,
            Problems& problems)
      : documents_(documents), schemas_(schemas), description_(description), problems_(problems) {}

  void add(const load::Document& document, const Tag& tag) {
    const Node schema = Node{document}["components"]["schemas"][tag.name];
    const Struct* model = schemas_.structAt(schema);
    if (model == nullptr) return problems_.add(schema, "a resource without properties", "add its fields");
    Resource& resource = description_.resources.emplace_back();
    resource.tag = &tag;
    resource.model = model;
    resource.unit = schemas_.unitOf(document.name);
    resource.place = schema.place();
    name(resource, schema["x-resource"]);
    takeOperations(resource, document.name);
    checkModel(resource, schema);
    addSearchable(resource, schema);
    addExample(resource, schema);
    addStateMachine(resource, schema);
    addFreshIds(resource);
  }

 private:
  void name(Resource& resource, const Node& facts) {
    resource.plural = facts.text("plural");
    resource.service = pascalCase(resource.plural);
    resource.accessor = camelCase(resource.plural);
    resource.cppName = camelCase(resource.tag->name) + "Resource";
    resource.states = camelCase(resource.tag->name) + "States";
    resource.description = facts.text("description");
    resource.outsideReadAllocation = facts.flag("outside_read_allocation", false);
    resource.isTransaction = facts.flag("is_transaction", false);
    resource.isAccount = facts.flag("is_account", false);
  }

  void takeOperations(Resource& resource, const std::string& file) {
    for (const Operation& operation : description_.operations)
      if (operation.place.file == file) resource.operations.push_back(&operation);
  }

  void checkModel(const Resource& resource, const Node& schema) {
    const Field* id = resource.model->find("id");
    if (id == nullptr || id->type.tag != resource.tag || !id->required)
      problems_.add(schema, "a resource without its own identifier",
                    R"(add the required property id with "x-id": "self")");
    const Field* object = resource.model->find("object");
    if (object == nullptr || object->constant != resource.tag->name)
      problems_.add(schema, "a resource that does not state its own name",
                    R"(add the property object with "const": ")" + resource.tag->name + '"');
  }

  void addSearchable(Resource& resource, const Node& schema) {
    schema["x-searchable"]["fields"].elements([&](const Node& path) {
      const Field* field = resource.model->at(path.text());
      if (field == nullptr)
        return problems_.add(path, "unknown field " + inQuotes(path.text()), "name a field of this schema");
      if (!canBeSearched(field->type.kind))
        return problems_.add(path, inQuotes(path.text()) + " can't be compared in a query",
                             "name a field inside it or another field");
      resource.searchable.push_back(path.text());
    });
    for (const Operation* operation : resource.operations)
      if (operation->kind == OperationKind::search && resource.searchable.empty())
        problems_.add(operation->place, "a search, but no field is searchable",
                      "add x-searchable to the schema");
  }

  static bool canBeSearched(Kind kind) {
    return kind != Kind::object && kind != Kind::list && kind != Kind::rawJson && kind != Kind::metadataEdit;
  }

  void addExample(Resource& resource, const Node& schema) {
    const Node example = schema["example"];
    if (!example)
      return problems_.add(schema, "a resource without an example",
                           "add one: the fake creates new objects from it");
    checkExample(example, *resource.model, problems_);
    resource.example = lineByLine(example);
  }

  /// JSON with one field per line.
  static std::string lineByLine(const Node& object) {
    std::string result;
    object.members([&](const std::string& name, const Node& value) {
      result +=
          (result.empty() ? "{\n  \"" : ",\n  \"") + name + "\": " + boost::json::serialize(value.value());
    });
    return result + "\n}";
  }

  void addStateMachine(Resource& resource, const Node& schema) {
    const std::vector<const Operation*> reports = resource.reports();
    if (schema.has("x-states")) {
      buildStateMachine(documents_, resource, schema["x-states"], description_, problems_);
    } else {
      for (const Operation* report : reports)
        problems_.add(report->place, "a report, but the resource has no states",
                      "add x-states to the schema");
    }
    if (problems_.empty()) checkReports(resource, reports);  // what lacks parts may have lost them to others
  }

  /// Clients read the object to check a report, and give any report as a variant of their parameters.
  void checkReports(const Resource& resource, const std::vector<const Operation*>& reports) {
    for (const Operation* report : reports) {
      if (resource.retrieval() == nullptr)
        problems_.add(report->place, "a report, but nothing retrieves the resource",
                      "add an operation of the kind 'retrieve'");
      if (report->params == nullptr)
        problems_.add(report->place, "a report without parameters",
                      "add properties to the schema of its body");
    }
  }

  // A required opaque identifier names something that is created together with the object.
  static void addFreshIds(Resource& resource) {
    for (const Field& field : resource.model->fields)
      if (field.required && !field.nullable && field.type.tag != nullptr && field.type.tag->opaque)
        resource.freshIds.push_back(field.name);
  }

  const load::Documents& documents_;
  const Schemas& schemas_;
  Description& description_;
  Problems& problems_;
};

}  // namespace

void buildResources(const load::Documents& documents, const Schemas& schemas, Description& description,
                    Problems& problems) {
  Resources resources{documents, schemas, description, problems};
  for (const auto& [name, document] : documents)
    if (const Tag* tag = schemas.resourceOf(name)) resources.add(document, *tag);
}

}  // namespace tally::codegen::model
