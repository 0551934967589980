#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "emit/text/emitters.h"
#include "emit/text/layout.h"

namespace tally::codegen::emit {

namespace {

std::string rowDeclaration(const model::Resource& resource, const model::Operation& operation) {
  const std::string params = operation.params == nullptr ? "void" : operation.params->cppName;
  const std::string type = "extern const Operation<" + params + ", " + resource.model->cppName + '>';
  const std::string name = operation.cppName + ';';
  return type + (type.size() + 1 + name.size() <= lineWidth ? " " : "\n    ") + name;
}

/// The types that the rows name.
Lines rowTypes(const model::Description& description) {
  std::set<std::string> names;
  for (const model::Resource& resource : description.resources) {
    names.insert(resource.model->cppName);
    for (const model::Operation* operation : resource.operations)
      if (operation->params != nullptr) names.insert(operation->params->cppName);
  }
  return {names.begin(), names.end()};
}

Data operationsData(const model::Description& description) {
  Lines resources;
  Lines rows;
  for (const model::Resource& resource : description.resources) {
    resources.push_back(resource.cppName);
    for (const model::Operation* operation : resource.operations)
      rows.push_back(rowDeclaration(resource, *operation));
  }
  Lines operations;
  for (const model::Operation& operation : description.operations)
    operations.push_back(operation.cppName);
  Data data;
  data.set("version", description.version);
  data.set("types", listOf(rowTypes(description)));
  data.set("resources", listOf(resources));
  data.set("rows", listOf(rows));
  data.set("operations", listOf(operations));
  return data;
}

/// In the order of the API description, on one line.
std::string errorTypes(const model::Description& description) {
  std::set<std::string> seen;
  std::string types;
  for (const model::ErrorResponse& error : description.errors)
    if (seen.insert(error.type).second) types += (types.empty() ? "" : " ") + literal(error.type) + ',';
  return types;
}

Data wireData(const model::Description& description) {
  Data list{Data::type::list};
  for (const model::Header& header : description.headers) {
    Data data;
    data.set("doc", listOf(wrapped(4, header.description)));
    data.set("line",
             textAssignment(0, "inline constexpr std::string_view " + header.cppName, header.name, ";"));
    list << data;
  }
  Data data;
  data.set("version", description.version);
  data.set("headers", list);
  data.set("error_types", errorTypes(description));
  return data;
}

/// The paths of `files` that are under `folder` and end in `ending`, without the folder.
Lines pathsIn(const std::vector<File>& files, std::string_view folder, std::string_view ending) {
  Lines result;
  for (const File& file : files)
    if (file.path.starts_with(folder) && file.path.ends_with(ending))
      result.push_back(file.path.substr(folder.size()));
  return result;
}

Data sourcesData(const model::Description& description, const std::vector<File>& files,
                 const std::string& folder) {
  const auto isService = [&](const std::string& path) {
    return (folder + path).starts_with(servicesFolder) || (folder + path).starts_with(asyncServicesFolder);
  };
  Lines tables = pathsIn(files, folder, ".cpp");
  Lines services = tables;
  std::erase_if(tables, isService);
  std::erase_if(services, std::not_fn(isService));
  Data data;
  data.set("version", description.version);
  data.set("tables", listOf(tables));
  data.set("services", listOf(services));
  data.set("headers", listOf(pathsIn(files, folder + "include/", ".h")));
  return data;
}

}  // namespace

void emitOperationTable(const model::Description& description, Templates& templates,
                        std::vector<File>& files) {
  const std::string folder = "sdk/generated/";
  files.push_back(
      {folder + "src/operations.h", templates.render("operations.h", operationsData(description))});
  files.push_back(
      {folder + "src/operations.cpp", templates.render("operations.cpp", operationsData(description))});
  files.push_back({folder + "src/wire.h", templates.render("wire.h", wireData(description))});
  files.push_back({folder + "sources.cmake",
                   templates.render("sdk_sources.cmake", sourcesData(description, files, folder))});
}

}  // namespace tally::codegen::emit
