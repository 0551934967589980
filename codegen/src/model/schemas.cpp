#include "model/schemas.h"

#include <algorithm>
#include <utility>

#include "model/names.h"
#include "model/schema_facts.h"

namespace tally::codegen::model {

namespace {

constexpr std::string_view rootFile = "root.json";
constexpr std::string_view components = "/components/schemas/";

/// `PaymentRecordCustomerPresence` for `/components/schemas/payment_record/properties/customer_presence`.
std::string nameAt(const std::string& pointer) {
  std::string_view rest = std::string_view{pointer}.substr(components.size() - 1);
  const auto take = [&] {
    rest.remove_prefix(1);
    const std::string_view segment = rest.substr(0, rest.find('/'));
    rest.remove_prefix(segment.size());
    return segment;
  };
  std::string name = pascalCase(take());
  while (!rest.empty()) {
    const std::string_view key = take();
    name += key == "items" ? "Item" : pascalCase(key == "properties" ? take() : key);
  }
  return name;
}

/// The name of the component that `pointer` points to or into.
std::string componentAt(const std::string& pointer) {
  return pointer.substr(components.size(), pointer.find('/', components.size()) - components.size());
}

bool isComponent(const std::string& pointer) {
  return pointer.starts_with(components) && pointer.find('/', components.size()) == std::string::npos;
}

void addWithParts(const Struct& type, std::set<const Struct*>& found);

void addParts(const Type& type, std::set<const Struct*>& found) {
  if (type.object != nullptr && type.object->role == Role::part) addWithParts(*type.object, found);
  for (const Type& element : type.element)
    addParts(element, found);
}

void addWithParts(const Struct& type, std::set<const Struct*>& found) {
  if (!found.insert(&type).second) return;
  for (const Field& field : type.fields)
    addParts(field.type, found);
}

}  // namespace

void Schemas::build() {
  for (const auto& [name, document] : documents_)
    addTags(document);
  for (const auto& [name, document] : documents_)
    addComponents(document);
}

void Schemas::addTags(const load::Document& document) {
  Node{document}["components"]["schemas"].members([&](const std::string& name, const Node& schema) {
    if (schema.has("x-resource") || schema.has("x-opaque")) addTag(name, schema, document);
  });
  if (document.name == rootFile || resources_.contains(document.name)) return;
  problems_.add({document.name, "/components/schemas"}, "no schema is a resource",
                "mark one with x-resource");
}

void Schemas::addTag(const std::string& name, const Node& schema, const load::Document& document) {
  const bool opaque = schema.has("x-opaque");
  const Node facts = schema[opaque ? "x-opaque" : "x-resource"];
  Tag& tag = description_.tags.emplace_back(Tag{.name = name,
                                                .cppName = pascalCase(name),
                                                .idPrefix = facts.text("id_prefix"),
                                                .description = schema.text("description"),
                                                .file = document.name,
                                                .opaque = opaque});
  if (!tags_.emplace(name, &tag).second)
    problems_.add(schema, "a second schema " + inQuotes(name) + " that identifiers can refer to",
                  "rename one");
  checkIdPrefix(facts["id_prefix"]);
  Unit& unit = unitFor(schema);
  if (opaque) checkName(name, tag.cppName, schema.place(), problems_);
  if (opaque) return unit.tags.push_back(&tag);
  if (document.name == rootFile)
    return problems_.add(facts, "a resource in root.json", "move it to its own file");
  if (!resources_.emplace(document.name, &tag).second)
    problems_.add(facts, "a second resource in one file", "move it to its own file");
  if (facts.text("plural") + ".json" != document.name)
    problems_.add(facts["plural"], "the file is not named after the plural " + inQuotes(facts.text("plural")),
                  "rename the file to " + inQuotes(facts.text("plural") + ".json"));
}

// It becomes part of paths and of regular expressions.
void Schemas::checkIdPrefix(const Node& prefix) {
  const auto isUsual = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (!std::ranges::all_of(prefix.text(), isUsual))
    problems_.add(prefix, inQuotes(prefix.text()) + " can't be the prefix of an identifier",
                  "use lowercase letters, digits and underscores");
}

void Schemas::addComponents(const load::Document& document) {
  Node{document}["components"]["schemas"].members([&](const std::string& name, const Node& schema) {
    if (schema.has("$ref") || schema.has("x-convention") || schema.has("x-opaque") || isPlainType(schema))
      return;
    if (!schema.has("x-resource")) checkName(name, pascalCase(name), schema.place(), problems_);
    typeOf(schema, pascalCase(name), resourceOf(document.name), unitFor(schema));
  });
}

// Parameters share the unit of their resource, and so do schemas without a type of their own.
Unit& Schemas::unitFor(const Node& schema, Unit& otherwise) {
  const bool component = schema.pointer().starts_with(components);
  return component && !isPlainType(schema) ? unitFor(schema) : otherwise;
}

Unit& Schemas::unitFor(const Node& schema) {
  const bool shared = schema.document().name == rootFile;
  const std::string file = schema.document().name;
  const std::string stem = shared ? componentAt(schema.pointer()) : file.substr(0, file.rfind('.'));
  Unit*& unit = units_[stem];
  if (unit != nullptr && unit->shared != shared)
    problems_.add(schema, "two header files would be named " + inQuotes(stem + ".h"), "rename the schema");
  if (unit == nullptr) {
    unit = &description_.units.emplace_back();
    unit->stem = stem;
    unit->shared = shared;
    unit->place = shared ? schema.place() : Place{file, ""};
  }
  return *unit;
}

Struct& Schemas::addParams(const std::string& name, const Tag& self, const Node& node) {
  Struct& params = description_.structs.emplace_back();
  params.name = name;
  params.cppName = pascalCase(name);
  params.role = Role::params;
  params.place = node.place();
  params.unit = units_.at(self.file.substr(0, self.file.rfind('.')));
  return params;
}

Field& Schemas::addField(Struct& owner, const std::string& name, bool required, const Node& node,
                         const Node& schema, const Tag* self) {
  const Node resolved = load::resolve(documents_, schema);
  const bool referred = schema.has("$ref");
  const std::string typeName = referred ? nameAt(resolved.pointer()) : owner.cppName + pascalCase(name);
  Type type = typeOf(resolved, typeName, self, unitFor(resolved, *units_.at(owner.unit->stem)));
  Field& field = owner.fields.emplace_back(factsOf(resolved, problems_));
  field.name = name;
  field.cppName = camelCase(name);
  field.required = required;
  if (node.has("description")) field.description = node.text("description");
  field.type = std::move(type);
  if (field.type.tag != nullptr) field.idPrefix = field.type.tag->idPrefix;
  field.place = node.place();
  field.provenance = provenanceOf(documents_, node);
  if (field.type.kind == Kind::constant && (!field.required || field.nullable))
    problems_.add(resolved["const"], "a constant that may be null or absent",
                  "make it a required string without null");
  return field;
}

void Schemas::addProperties(Struct& owner, const Node& schema, const Tag* self) {
  const auto required = textsOf(schema["required"]);
  if (schema.has("properties") && schema["properties"].size() == 0)
    problems_.add(schema["properties"], "no properties", "add some, or remove the key");
  schema["properties"].members([&](const std::string& name, const Node& property) {
    addField(owner, name, required.contains(name), property, property, self);
  });
  for (const std::string& name : required)
    if (!schema["properties"].has(name))
      problems_.add(schema["required"], "the required property " + inQuotes(name) + " does not exist",
                    "add it to the properties, or remove it here");
}

void Schemas::finish(const Struct& owner) {
  units_.at(owner.unit->stem)->structs.push_back(&owner);
}

void Schemas::markBorrowable() {
  std::set<const Struct*> passed;
  for (const Struct& type : description_.structs)
    if (type.role == Role::params) addWithParts(type, passed);
  for (Struct& type : description_.structs)
    type.borrowable = passed.contains(&type);
}

const Struct* Schemas::structAt(const Node& node) const {
  const auto found = structs_.find(node.place().str());
  return found == structs_.end() ? nullptr : found->second;
}

const Tag* Schemas::resourceOf(const std::string& file) const {
  const auto found = resources_.find(file);
  return found == resources_.end() ? nullptr : found->second;
}

const Unit* Schemas::unitOf(const std::string& file) const {
  const auto found = units_.find(file.substr(0, file.rfind('.')));
  return found == units_.end() ? nullptr : found->second;
}

Type Schemas::typeOf(const Node& schema, const std::string& name, const Tag* self, Unit& unit) {
  if (schema.has("x-metadata-edit")) return metadataEdit(schema);
  const std::string type = typeName(schema);
  if (type == "string") return typeOfText(schema, name, self, unit);
  if (type == "integer") return typeOfInteger(schema);
  if (type == "boolean") return {.kind = Kind::boolean};
  if (type == "array") return typeOfList(schema, name, self, unit);
  if (type == "object") return typeOfObject(schema, name, self, unit);
  problems_.add(schema, type.empty() ? "a schema without a type" : "unknown type " + inQuotes(type),
                "make it string, integer, boolean, array or object, or one of these and null");
  return {};
}

Type Schemas::typeOfText(const Node& schema, const std::string& name, const Tag* self, Unit& unit) {
  if (schema.has("const")) return {.kind = Kind::constant};
  if (schema.has("x-id")) return {.kind = Kind::id, .tag = tagFor(schema, self)};
  if (schema.has("x-values")) return {.kind = Kind::openEnum, .values = &enumFor(schema, name, unit)};
  return {.kind = Kind::string};
}

Type Schemas::typeOfInteger(const Node& schema) {
  if (!schema.has("format")) return {.kind = Kind::integer};
  if (schema.text("format") != "unix-time")
    problems_.add(schema["format"], "unknown format " + inQuotes(schema.text("format")),
                  "make it unix-time, or remove it");
  return {.kind = Kind::time};
}

Type Schemas::typeOfList(const Node& schema, const std::string& name, const Tag* self, Unit& unit) {
  const Node items = schema["items"];
  if (!items) {
    problems_.add(schema, "an array without items", "add \"items\" with the type of its elements");
    return {};
  }
  const std::string place = schema.place().str();
  if (!open_.insert(place).second) {
    problems_.add(schema, "a list that contains itself", "use identifiers instead");
    return {};
  }
  const Node resolved = load::resolve(documents_, items);
  if (resolved.has("pattern"))
    problems_.add(items, "a pattern for the elements of a list", "remove it: only fields can have one");
  checkElement(resolved);
  const std::string itemName = items.has("$ref") ? nameAt(resolved.pointer()) : name + "Item";
  Type element = typeOf(resolved, itemName, self, unitFor(resolved, unit));
  if (element.kind == Kind::boolean)  // a vector of which has no booleans to refer to
    problems_.add(items, "a list of booleans", "make the elements strings, integers or objects");
  open_.erase(place);
  return {.kind = Kind::list, .element = {std::move(element)}};
}

/// Lists and maps keep nothing about their elements but the type.
void Schemas::checkElement(const Node& element) {
  if (mayBeNull(element)) problems_.add(element["type"], "null among the types of elements", "remove it");
  for (const char* key : {"minimum", "maximum", "default", "minLength", "const"})
    if (element.has(key))
      problems_.add(element[key], inQuotes(key) + " for elements", "remove it: only fields can have one");
}

Type Schemas::typeOfObject(const Node& schema, const std::string& name, const Tag* self, Unit& unit) {
  if (schema.has("properties")) return {.kind = Kind::object, .object = &structFor(schema, name, self, unit)};
  if (!schema.has("additionalProperties")) return {.kind = Kind::rawJson};
  const Node element = load::resolve(documents_, schema["additionalProperties"]);
  checkElement(element);
  if (typeName(element) != "string")
    problems_.add(schema["additionalProperties"], "a map with values other than strings",
                  R"(make it {"type": "string"})");
  for (const char* key : {"pattern", "x-id", "x-values"})
    if (element.has(key))
      problems_.add(element[key], inQuotes(key) + " for the values of a map",
                    "remove it: they can be any string");
  return {.kind = Kind::metadata};
}

Type Schemas::metadataEdit(const Node& schema) {
  const Node rule = schema["x-metadata-edit"];
  for (const auto& [key, value] : {std::pair{"empty_value", "unsets_key"}, std::pair{"empty", "unsets_all"}})
    if (rule.text(key) != value)
      problems_.add(rule[key], "unknown metadata rule " + inQuotes(rule.text(key)),
                    "make it " + inQuotes(value));
  return {.kind = Kind::metadataEdit};
}

const Tag* Schemas::tagFor(const Node& schema, const Tag* self) {
  const std::string name = schema.text("x-id");
  const Tag* const own = resourceOf(schema.document().name);
  const Tag* const meant = own != nullptr ? own : self;
  if (name == "self" && meant != nullptr) return meant;
  if (const auto found = tags_.find(name); found != tags_.end()) return found->second;
  problems_.add(schema["x-id"], "unknown identifier target " + inQuotes(name),
                "name a schema with x-resource or x-opaque, or \"self\" in a resource's file");
  return nullptr;
}

const Enum& Schemas::enumFor(const Node& schema, const std::string& name, Unit& unit) {
  const Enum*& known = enums_[schema.place().str()];
  if (known != nullptr) return *known;
  Enum& result = description_.enums.emplace_back();
  known = &result;
  result.cppName = name;
  result.description =
      schema.has("description") ? schema.text("description") : "The known values of an open set.";
  result.provenance = provenanceOf(documents_, schema);
  result.unit = &unit;
  result.place = schema.place();
  schema["x-values"].elements([&](const Node& value) { addValue(result, value); });
  unit.enums.push_back(&result);
  return result;
}

void Schemas::addValue(Enum& owner, const Node& value) {
  const std::string name = value.has("name") ? value.text("name") : value.text("value");
  if (std::ranges::find(owner.values, value.text("value"), &EnumValue::text) != owner.values.end())
    problems_.add(value["value"], "the value " + inQuotes(value.text("value")) + " appears twice",
                  "keep one of them");
  checkName(name, camelCase(name), value[value.has("name") ? "name" : "value"].place(), problems_);
  owner.values.push_back({value.text("value"), camelCase(name), value.text("description")});
}

const Struct& Schemas::structFor(const Node& schema, const std::string& name, const Tag* self, Unit& unit) {
  const std::string place = schema.place().str();
  if (const auto known = structs_.find(place); known != structs_.end()) {
    if (open_.contains(place))
      problems_.add(schema, inQuotes(name) + " contains itself", "use an identifier instead");
    return *known->second;
  }
  Struct& result = description_.structs.emplace_back();
  structs_.emplace(place, &result);
  open_.insert(place);
  result.name = isComponent(schema.pointer()) ? componentAt(schema.pointer()) : snakeCase(name);
  result.cppName = name;
  result.description = schema.text("description");
  result.provenance = provenanceOf(documents_, schema);
  result.role = schema.has("x-resource") ? Role::resource : Role::part;
  result.unit = &unit;
  result.place = schema.place();
  addProperties(result, schema, unit.shared ? nullptr : self);
  open_.erase(place);
  finish(result);
  return result;
}

}  // namespace tally::codegen::model
