#include <algorithm>

#include "cpp_types.h"
#include "emitters.h"
#include "methods.h"
#include "printers.h"
#include "report_checks.h"
#include "report_methods.h"

namespace tally::codegen::emit {

namespace {

Data methodsData(const model::Resource& resource) {
  Data list{Data::type::list};
  for (const model::Operation* operation : resource.operations) {
    Data data;
    data.set("head", definitionHead(resource, *operation));
    data.set("body", body(*operation));
    list << data;
  }
  return list;
}

bool pages(const model::Resource& resource) {
  return std::any_of(resource.operations.begin(), resource.operations.end(),
                     [](const model::Operation* operation) { return operation->pages(); });
}

Lines serviceIncludes(const model::Resource& resource) {
  Includes includes;
  includes.tally(resource.unit->stem);
  includes.own("call/call.h");
  includes.own("operations.h");
  if (pages(resource)) includes.own("pagination/pager_impl.h");
  if (!resource.reports().empty()) includes.own("reports/prepared_report.h");
  if (resource.checksReports()) includes.own("reports/report_resolver.h");
  return includes.lines();
}

Data serviceData(const model::Resource& resource) {
  Data data;
  data.set("includes", listOf(serviceIncludes(resource)));
  data.set("model", resource.model->cppName);
  data.set("methods", methodsData(resource));
  data.set("reportMethods", reportMethodDefinitions(resource));
  data.set("reportCheck", reportCheckDefinitions(resource));
  data.set("pagePrinter", pages(resource) ? Data{pagePrinter(resource)} : Data{false});
  return data;
}

}  // namespace

void emitServices(const model::Description& description, Templates& templates, std::vector<File>& files) {
  for (const model::Resource& resource : description.resources) {
    Data data = serviceData(resource);
    data.set("version", description.version);
    files.push_back(
        {std::string{servicesFolder} + resource.unit->stem + ".cpp", templates.render("service.cpp", data)});
  }
}

}  // namespace tally::codegen::emit
