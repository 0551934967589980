#include "emit/sdk/cpp_types.h"
#include "emit/sdk/methods.h"
#include "emit/sdk/printers.h"
#include "emit/sdk/report_checks.h"
#include "emit/sdk/report_methods.h"
#include "emit/text/emitters.h"

namespace tally::codegen::emit {

namespace {

Data methodsData(const model::Resource& resource) {
  Data list{Data::type::list};
  for (const model::Operation* operation : resource.operations) {
    Data data;
    data.set("head", definitionHead(resource, *operation, Form::blocking));
    data.set("body", body(*operation, Form::blocking));
    list << data;
  }
  return list;
}

Lines serviceIncludes(const model::Resource& resource) {
  Includes includes;
  includes.tally(resource.unit->stem);
  includes.own("call/call.h");
  includes.own("operations.h");
  if (resource.pages()) includes.own("pagination/pager_impl.h");
  if (!resource.reports().empty()) includes.own("reports/prepared_report.h");
  if (resource.checksReports()) includes.own("report_calls.h");
  return includes.lines();
}

Data serviceData(const model::Resource& resource) {
  Data data;
  data.set("includes", listOf(serviceIncludes(resource)));
  data.set("model", resource.model->cppName);
  data.set("methods", methodsData(resource));
  data.set("reportMethods", reportMethodDefinitions(resource, Form::blocking));
  data.set("reportCheck", reportCheckDefinitions(resource, Form::blocking));
  data.set("pagePrinter", resource.pages() ? Data{pagePrinter(resource)} : Data{false});
  return data;
}

/// Declares the functions that find the operation of a report, for both forms of the services.
void emitReportCalls(const model::Description& description, Templates& templates, std::vector<File>& files) {
  Lines types;
  Lines declarations;
  for (const model::Resource& resource : description.resources) {
    if (!resource.checksReports()) continue;
    types.push_back("struct " + resource.model->cppName + ';');
    types.push_back("struct " + resource.reportType() + ';');
    declarations.push_back(callOfDeclaration(resource));
  }
  if (declarations.empty()) return;
  Data data;
  data.set("version", description.version);
  data.set("types", listOf(types));
  data.set("declarations", listOf(declarations));
  files.push_back({"sdk/generated/src/report_calls.h", templates.render("report_calls.h", data)});
}

}  // namespace

void emitServices(const model::Description& description, Templates& templates, std::vector<File>& files) {
  for (const model::Resource& resource : description.resources) {
    Data data = serviceData(resource);
    data.set("version", description.version);
    files.push_back(
        {std::string{servicesFolder} + resource.unit->stem + ".cpp", templates.render("service.cpp", data)});
  }
  emitReportCalls(description, templates, files);
}

}  // namespace tally::codegen::emit
