#include "tables.h"

#include <string_view>

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

}  // namespace

void emitTables(const model::Description& description, Templates& templates, std::vector<File>& files) {
  const std::string folder = "sdk/generated/";
  files.push_back(
      {folder + "src/operations.h", templates.render("operations.h", operationsData(description))});
  files.push_back(
      {folder + "src/operations.cpp", templates.render("operations.cpp", operationsData(description))});
  files.push_back({folder + "src/wire.h", templates.render("wire.h", wireData(description))});
  Data data;
  data.set("version", description.version);
  data.set("sources", listOf(pathsIn(files, folder, ".cpp")));
  data.set("headers", listOf(pathsIn(files, folder + "include/", ".h")));
  files.push_back({folder + "sources.cmake", templates.render("sdk_sources.cmake", data)});
}

}  // namespace tally::codegen::emit
