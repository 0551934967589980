#include "emit/sdk/sdk.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emit/sdk/limits_data.h"
#include "emit/sdk/resource_data.h"
#include "emit/sdk/unit_data.h"
#include "emit/text/docs_text.h"
#include "model/names.h"

namespace tally::codegen::emit {

namespace {

/// The templates of the parameters of operations.
std::set<std::string> paramsTemplates(const model::Description& description) {
  std::set<std::string> names;
  for (const model::Operation& operation : description.operations)
    if (operation.params != nullptr) names.insert(model::basicName(operation.params->cppName));
  return names;
}

/// The values that a member of error responses has, in the order of the description.
std::vector<std::string> each(const model::Description& description,
                              std::string model::ErrorResponse::* member) {
  std::vector<std::string> values;
  for (const model::ErrorResponse& error : description.errors)
    if (std::ranges::find(values, error.*member) == values.end()) values.push_back(error.*member);
  return values;
}

std::string_view takeSegment(std::string_view& path) {
  path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

/// Whether `path` fits the path of another operation, with an identifier in the place of a word.
bool fits(std::string_view path, std::string_view other) {
  while (!path.empty() && !other.empty()) {
    const std::string_view segment = takeSegment(path);
    const std::string_view wanted = takeSegment(other);
    if (segment != wanted && wanted != "{id}") return false;
  }
  return path.empty() && other.empty();
}

/// The constants of all operations: of each resource, first those without an identifier in the path; and each
/// before those whose path it fits. Otherwise, a client that looks for the first path that fits would take
/// `search` in a path for an identifier.
std::vector<std::string> operationConstants(const model::Description& description) {
  std::vector<const model::Operation*> operations;
  const auto add = [&](const model::Operation* operation) {
    const auto next = std::ranges::find_if(operations, [&](const model::Operation* other) {
      return other->post == operation->post && fits(operation->path, other->path);
    });
    operations.insert(next, operation);
  };
  for (const model::Resource& resource : description.resources)
    for (const bool hasId : {false, true})
      for (const model::Operation* operation : resource.operations)
        if (operation->hasId() == hasId) add(operation);
  std::vector<std::string> constants;
  for (const model::Operation* operation : operations)
    constants.push_back(operation->cppName);
  return constants;
}

/// What the files about all resources show.
Data allData(const model::Description& description) {
  return object(
      {{"resources",
        listOf(description.resources,
               [&](const model::Resource& resource) { return resourceData(description, resource); })},
       {"paramsTemplates", paramsTemplates(description)},
       {"operations", operationConstants(description)},
       {"codes", listOf(each(description, &model::ErrorResponse::code),
                        [](const std::string& code) {
                          return object({{"constant", model::camelCase(code)}, {"text", literal(code)}});
                        })},
       {"errorTypes", listOf(each(description, &model::ErrorResponse::type), literal)},
       {"headers", listOf(description.headers, [](const model::Header& header) {
          return object(
              {{"doc", header.description}, {"constant", header.cppName}, {"text", literal(header.name)}});
        })}});
}

Data sourcesData(const std::vector<File>& files, const std::string& folder) {
  std::vector<std::string> tables;
  std::vector<std::string> services;
  std::vector<std::string> headers;
  const std::string include = folder + "include/";
  for (const File& file : files) {
    const bool service = file.path.find("services/") != std::string::npos;
    if (file.path.ends_with(".cpp")) (service ? services : tables).push_back(file.path.substr(folder.size()));
    if (file.path.starts_with(include)) headers.push_back(file.path.substr(include.size()));
  }
  return object({{"tables", tables}, {"services", services}, {"headers", headers}});
}

}  // namespace

void emitSdk(const model::Description& description, Templates& templates, std::vector<File>& files) {
  const std::string folder = "sdk/generated/";
  const auto add = [&](const std::string& path, const std::string& name, const Data& data) {
    files.push_back({folder + path, templates.render(name, data)});
  };
  for (const model::Unit& unit : description.units) {
    Data data = unitData(description, unit);
    const auto owner = std::ranges::find(description.resources, &unit, &model::Resource::unit);
    const bool owned = owner != description.resources.end();
    data.set("resource", owned ? resourceData(description, *owner) : Data{false});
    add("include/tally/" + unit.stem + ".h", "unit.h", data);
    if (!unit.structs.empty()) add("src/" + unit.stem + ".cpp", "unit.cpp", data);
  }
  const Data all = allData(description);
  add("include/tally/services.h", "services.h", all);
  add("include/tally/error_codes.h", "error_codes.h", all);
  add("include/tally/limits.h", "limits.h", limitsData(description));
  for (const model::Resource& resource : description.resources)
    add("src/services/" + resource.unit->stem + ".cpp", "service.cpp", resourceData(description, resource));
  for (const model::Resource& resource : description.resources) {
    const Data data = resourceData(description, resource);
    add("include/tally/async_" + resource.unit->stem + ".h", "async_unit.h", data);
    add("src/async_services/" + resource.unit->stem + ".cpp", "async_service.cpp", data);
  }
  add("include/tally/async_services.h", "async_services.h", all);
  for (const std::string name : {"operations.h", "operations.cpp", "wire.h"})
    add("src/" + name, name, all);
  if (std::ranges::any_of(description.resources, &model::Resource::checksReports))
    add("src/report_calls.h", "report_calls.h", all);
  add("sources.cmake", "sdk_sources.cmake", sourcesData(files, folder));
}

}  // namespace tally::codegen::emit
