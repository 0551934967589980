#include "emit/sdk/cpp_types.h"
#include "emit/sdk/methods.h"
#include "emit/sdk/report_checks.h"
#include "emit/sdk/report_methods.h"
#include "emit/text/docs_text.h"
#include "emit/text/emitters.h"

namespace tally::codegen::emit {

namespace {

using model::Kind;

// In the headers:

Lines argumentMembers(const model::Struct& params) {
  std::vector<Remarked> lines;
  for (const model::Field& field : params.fields)
    if (field.type.kind != Kind::constant)
      lines.push_back({argumentType(field.type) + ' ' + field.cppName + "{};", remark(field, params)});
  return remarked(2, lines);
}

Data argumentStructs(const model::Resource& resource) {
  Data list{Data::type::list};
  for (const model::Operation* operation : resource.operations) {
    if (operation->params == nullptr) continue;
    Data data;
    data.set("doc", listOf(wrapped(4, "Arguments of Async" + operation->params->description + '.')));
    data.set("name", operation->params->argsType());
    data.set("members", listOf(argumentMembers(*operation->params)));
    list << data;
  }
  return list;
}

Lines headerIncludes(const model::Resource& resource) {
  Includes includes;
  includes.standard("memory");
  includes.standard("utility");
  includes.tally("call_options");
  for (const model::Operation* operation : resource.operations)
    includes.tally(operation->pages() ? "async_pager" : "call");
  if (resource.checksReports()) includes.tally("report_check_args");
  includes.tally(resource.unit->stem);
  return includes.lines();
}

Data declarationsData(const model::Resource& resource) {
  Data list{Data::type::list};
  for (const model::Operation* operation : resource.operations) {
    Data data;
    const std::string doc =
        operation->summary + " See " + resource.service + "::" + operation->method + "().";
    data.set("doc", listOf(wrapped(6, doc)));
    data.set("declaration", declaration(resource, *operation, Form::async));
    list << data;
  }
  return list;
}

Data headerData(const model::Resource& resource) {
  Data data;
  data.set("includes", listOf(headerIncludes(resource)));
  data.set("args", argumentStructs(resource));
  data.set("service", resource.service);
  data.set("name", resource.asyncService());
  data.set("accessor", resource.accessor);
  data.set("constructor", constructorOf(resource, Form::async));
  data.set("methods", declarationsData(resource));
  data.set("reportMethods", reportMethodDeclarations(resource, Form::async));
  data.set("reportCheck", reportCheckDeclarations(resource, Form::async));
  return data;
}

Data allServicesData(const model::Description& description) {
  Includes includes;
  includes.standard("memory");
  includes.standard("utility");
  Data accessors{Data::type::list};
  for (const model::Resource& resource : description.resources) {
    includes.tally("async_" + resource.unit->stem);
    accessors << Data{accessorOf(resource, Form::async)};
  }
  Data data;
  data.set("version", description.version);
  data.set("includes", listOf(includes.lines()));
  data.set("accessors", accessors);
  return data;
}

// In the sources:

/// The functions that turn arguments into parameters.
Data owners(const model::Resource& resource) {
  Data list{Data::type::list};
  for (const model::Operation* operation : resource.operations) {
    if (operation->params == nullptr) continue;
    const model::Struct& params = *operation->params;
    Lines members;
    for (const model::Field& field : params.fields)
      if (field.type.kind != Kind::constant)
        members.push_back("      ." + field.cppName + " = detail::own(args." + field.cppName + "),");
    Data data;
    data.set("argsType", params.argsType());
    data.set("head",
             fit(0, params.cppName + ' ', {"own(", {{"const " + params.argsType() + "& args"}}, ")"}, " {"));
    data.set("members", listOf(members));
    list << data;
  }
  return list;
}

Lines sourceIncludes(const model::Resource& resource) {
  Includes includes;
  includes.tally("async_" + resource.unit->stem);
  includes.own("operations.h");
  for (const model::Operation* operation : resource.operations) {
    if (operation->params != nullptr) includes.standard("type_traits");
    includes.own(operation->pages() ? "async/async_pager_impl.h" : "async/async_call.h");
  }
  if (!resource.reports().empty()) includes.own("async/async_reports.h");
  if (resource.checksReports()) includes.own("report_calls.h");
  return includes.lines();
}

Data definitionsData(const model::Resource& resource) {
  Data list{Data::type::list};
  for (const model::Operation* operation : resource.operations) {
    Data data;
    data.set("head", definitionHead(resource, *operation, Form::async));
    data.set("body", body(*operation, Form::async));
    list << data;
  }
  return list;
}

Data sourceData(const model::Resource& resource) {
  Data data;
  data.set("includes", listOf(sourceIncludes(resource)));
  data.set("model", resource.model->cppName);
  data.set("owners", owners(resource));
  data.set("methods", definitionsData(resource));
  data.set("reportMethods", reportMethodDefinitions(resource, Form::async));
  data.set("reportCheck", reportCheckDefinitions(resource, Form::async));
  data.set("pages", Data{resource.pages()});
  return data;
}

}  // namespace

void emitAsyncServices(const model::Description& description, Templates& templates,
                       std::vector<File>& files) {
  const std::string headers = "sdk/generated/include/tally/async_";
  for (const model::Resource& resource : description.resources) {
    Data header = headerData(resource);
    header.set("version", description.version);
    files.push_back({headers + resource.unit->stem + ".h", templates.render("async_unit.h", header)});
    Data source = sourceData(resource);
    source.set("version", description.version);
    files.push_back({std::string{asyncServicesFolder} + resource.unit->stem + ".cpp",
                     templates.render("async_service.cpp", source)});
  }
  files.push_back(
      {headers + "services.h", templates.render("async_services.h", allServicesData(description))});
}

}  // namespace tally::codegen::emit
