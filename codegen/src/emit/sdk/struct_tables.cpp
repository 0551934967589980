#include <algorithm>
#include <set>

#include "emit/sdk/cpp_types.h"
#include "emit/sdk/field_tables.h"
#include "emit/sdk/printers.h"
#include "emit/sdk/state_machines.h"
#include "emit/text/emitters.h"

namespace tally::codegen::emit {

namespace {

using model::Kind;
using model::OperationKind;

std::string_view kindName(OperationKind kind) {
  switch (kind) {
    case OperationKind::create:
      return "create";
    case OperationKind::update:
      return "update";
    case OperationKind::report:
      return "report";
    case OperationKind::list:
      return "list";
    case OperationKind::search:
      return "search";
    case OperationKind::retrieve:
      break;
  }
  return "retrieve";
}

Lines operationLines(std::size_t indent, const model::Resource& resource, const model::Operation& operation) {
  Lines lines{
      textAssignment(indent, ".name", operation.name, ","),
      assignment(indent, ".kind", {"OperationKind::" + std::string{kindName(operation.kind)}}, ","),
      assignment(indent, ".method", {operation.post ? "Method::post" : "Method::get"}, ","),
      textAssignment(indent, ".path", operation.path, ","),
      assignment(indent, ".resource", {'&' + resource.cppName}, ","),
  };
  if (operation.body != model::Body::none)
    lines.push_back(
        assignment(indent, ".body",
                   {operation.body == model::Body::form ? "BodyEncoding::form" : "BodyEncoding::json"}, ","));
  return lines;
}

/// The definition of a row; `operations.h` has its type.
Data operationData(const model::Resource& resource, const model::Operation& operation) {
  const std::string head = "constinit decltype(" + operation.cppName + ") " + operation.cppName + '{';
  const std::string row = "AnyOperation{";
  const bool fits = head.size() + row.size() <= lineWidth;
  Data data;
  data.set("head", head + (fits ? "" : "\n    ") + row);
  data.set("lines", listOf(operationLines(fits ? 4 : 8, resource, operation)));
  data.set("tail", fits ? "}};" : "    }};");
  return data;
}

Data operationsData(const model::Resource& resource) {
  Data list{Data::type::list};
  for (const model::Operation* operation : resource.operations)
    list << operationData(resource, *operation);
  return list;
}

Lines resourceLines(const model::Resource& resource) {
  Lines lines{
      textAssignment(4, ".name", resource.tag->name, ","),
      textAssignment(4, ".plural", resource.plural, ","),
      textAssignment(4, ".idPrefix", resource.tag->idPrefix, ","),
      assignment(4, ".model", {"&Schema<" + resource.model->cppName + ">::value"}, ","),
  };
  if (resource.outsideReadAllocation) lines.push_back(assignment(4, ".outsideReadAllocation", {"true"}, ","));
  if (!resource.machine.states.empty())
    lines.push_back(assignment(4, ".machine", {'&' + stateMachineConstant(resource)}, ","));
  return lines;
}

Data resourceData(const model::Resource& resource) {
  Data data;
  data.set("constant", resource.cppName);
  data.set("lines", listOf(resourceLines(resource)));
  data.set("operations", operationsData(resource));
  data.set("machine", stateMachineData(resource));
  return data;
}

void addUsed(const model::Type& type, std::set<std::string>& names) {
  if (type.kind == Kind::object) names.insert(type.object->cppName);
  if (type.kind == Kind::list) addUsed(type.element.front(), names);
}

/// Declares the schemas that a file uses before they are defined, or that another file defines.
Lines declarations(const model::Unit& unit) {
  std::set<std::string> names;
  for (const model::Struct* type : unit.structs)
    for (const model::Field& field : type->fields)
      addUsed(field.type, names);
  Lines lines;
  for (const std::string& name : names) {
    lines.emplace_back("template <>");
    lines.push_back("const Struct Schema<" + name + ">::value;");
  }
  if (!lines.empty()) lines.emplace_back();
  return lines;
}

/// The instantiations of toJson() and fromJson() for a model.
Lines jsonLines(const model::Struct& type) {
  if (type.role == model::Role::params) return {};
  return {
      fit(0, "template ", {"std::string toJson(", {{"const " + type.cppName + "& object"}}, ")"}, ";"),
      fit(0, "template ", {"Result<" + type.cppName + "> fromJson(", {{"std::string_view json"}}, ")"}, ";"),
      ""};
}

Data structsData(const model::Unit& unit) {
  Data list{Data::type::list};
  for (const model::Struct* type : unit.structs) {
    Data data;
    data.set("table", tableName(*type));
    data.set("fields", listOf(fieldLines(*type)));
    data.set("definition", schemaDefinition(*type));
    data.set("printer", printerDefinition(type->cppName));
    data.set("json", listOf(jsonLines(*type)));
    list << data;
  }
  return list;
}

Lines includes(const model::Unit& unit, const model::Resource* resource) {
  Includes includes;
  includes.tally(unit.stem);
  includes.own("codec/model_json_impl.h");
  includes.own("codec/printer.h");
  if (resource != nullptr) includes.own("operations.h");
  return includes.lines();
}

}  // namespace

void emitStructTables(const model::Description& description, Templates& templates, std::vector<File>& files) {
  for (const model::Unit& unit : description.units) {
    if (unit.structs.empty()) continue;
    const auto found = std::find_if(description.resources.begin(), description.resources.end(),
                                    [&](const model::Resource& resource) { return resource.unit == &unit; });
    const model::Resource* resource = found == description.resources.end() ? nullptr : &*found;
    Data data;
    data.set("version", description.version);
    data.set("includes", listOf(includes(unit, resource)));
    data.set("declarations", listOf(declarations(unit)));
    data.set("structs", structsData(unit));
    data.set("resource", resource ? resourceData(*resource) : Data{false});
    files.push_back({"sdk/generated/src/" + unit.stem + ".cpp", templates.render("unit.cpp", data)});
  }
}

}  // namespace tally::codegen::emit
