#include <functional>
#include <string>
#include <string_view>

#include "emitters.h"

namespace tally::codegen::emit {

namespace {

Data operationsData(const model::Description& description) {
  Lines resources;
  for (const model::Resource& resource : description.resources)
    resources.push_back(resource.cppName);
  Lines operations;
  for (const model::Operation& operation : description.operations)
    operations.push_back(operation.cppName);
  Data data;
  data.set("version", description.version);
  data.set("resources", listOf(resources));
  data.set("operations", listOf(operations));
  return data;
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
  const auto isService = [&](const std::string& path) { return (folder + path).starts_with(servicesFolder); };
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
