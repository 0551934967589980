#include "emit/sdk/report_checks.h"

#include <algorithm>
#include <string>

#include "emit/sdk/cpp_types.h"
#include "emit/sdk/printers.h"
#include "emit/text/layout.h"
#include "model/names.h"

namespace tally::codegen::emit {

namespace {

// In the comments, {object} is the resource, {owner} the field that its states belong to, and {service} the
// blocking service.

const std::string typeComment =
    "Any report on a {object}: the parameters of the method that sends it, which convert to this type "
    "implicitly.";

const std::string argsTypeComment =
    "Any report on a {object}: the arguments of the method that sends it, or a {report}.";

struct Method {
  std::string name{};
  std::string comment{};
  std::string asyncComment{};
};

const Method methods[] = {
    {"checkReport",
     "Determines whether a report whose response was lost has been applied: reads the {object} and compares. "
     "Sends no report. `known` is what else the caller knows: the `{owner}` that the report is about, and "
     "the {object} before the report. It makes more cases decidable. See ReportCheck. Errors have the effect "
     "`unknown`, because the outcome of the report is still unknown. Only an error about `id` or `report` "
     "has the effect `none`, because no client sends such a report.",
     "Determines whether a report whose response was lost has been applied. See {service}::checkReport()."},
    {"resolveReport",
     "The same, but sends the report again if it has not been applied and the {object} shows no other "
     "report: once, and then up to `maxNetworkRetries` more times. Reads the {object} before each send. With "
     "`known`, sends nothing while the {object} shows another `{owner}`. Without it, the report is assumed "
     "to be about the `{owner}` that is read first, even if that one began after the response was lost.",
     "The same, but sends the report again if it has not been applied. See {service}::resolveReport()."},
};

void fillIn(std::string& text, const std::string& placeholder, const std::string& value) {
  for (auto at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder))
    text.replace(at, placeholder.size(), value);
}

Data commentOf(std::size_t indent, std::string text, const model::Resource& resource) {
  std::string object = resource.tag->name;
  std::replace(object.begin(), object.end(), '_', ' ');
  fillIn(text, "{object}", object);
  fillIn(text, "{owner}", resource.machine.of);
  fillIn(text, "{service}", resource.service);
  fillIn(text, "{report}", resource.reportType());
  constexpr std::size_t slashes = 4;
  return listOf(wrapped(indent + slashes, text));
}

std::string returnType(const model::Resource& resource, Form form) {
  return (form == Form::async ? "Call" : "Result") + ("<ReportCheck<" + resource.model->cppName + ">>");
}

Expression signature(const model::Resource& resource, const std::string& name, const std::string& otherwise,
                     Form form) {
  const bool async = form == Form::async;
  const std::string known = (async ? "ReportCheckArgs<" : "ReportCheckOptions<") + resource.model->cppName +
                            ", " + cppType(resource.model->find(resource.machine.of)->type) + '>';
  return {name + '(',
          {{"const Id<" + resource.model->cppName + ">& id"},
           {"const " + (async ? resource.reportArgsType() : resource.reportType()) + "& report"},
           {"const " + known + "& known" + otherwise},
           {(async ? "const CallOptions& options" : "const RequestOptions& options") + otherwise}},
          ")"};
}

std::string bodyOf(const Method& method) {
  return fit(2, "return ",
             {"detail::" + method.name + '(',
              {{"*core_"}, {"detail::callOf(report)"}, {"id.str()"}, {"known"}, {"options"}},
              ")"},
             ";");
}

std::string asyncBodyOf(const model::Resource& resource, const Method& method) {
  return fit(
      2, "return ",
      {"detail::async" + model::pascalCase(method.name) + '<' + resource.model->cppName + ">(",
       {{"engine_"}, {"own(report)"}, {"&detail::callOf"}, {"id.str()"}, {"detail::own(known)"}, {"options"}},
       ")"},
      ";");
}

Data methodDeclarations(const model::Resource& resource, Form form) {
  Data list{Data::type::list};
  for (const Method& method : methods) {
    Data data;
    data.set("doc", commentOf(2, form == Form::async ? method.asyncComment : method.comment, resource));
    data.set("declaration", fit(2, "[[nodiscard]] " + returnType(resource, form) + ' ',
                                signature(resource, method.name, " = {}", form), " const;"));
    list << data;
  }
  return list;
}

Data methodDefinitions(const model::Resource& resource, Form form) {
  Data list{Data::type::list};
  for (const Method& method : methods) {
    Data data;
    const std::string name = serviceClass(resource, form) + "::" + method.name;
    data.set("head",
             fit(0, returnType(resource, form) + ' ', signature(resource, name, "", form), " const {"));
    data.set("body", form == Form::async ? asyncBodyOf(resource, method) : bodyOf(method));
    list << data;
  }
  return list;
}

std::string headOf(const model::Resource& resource) {
  Expression base{"std::variant<", {}, ">"};
  for (const model::Operation* report : resource.reports())
    base.arguments.push_back({report->params->cppName});
  return fit(0, "struct " + resource.reportType() + " : ", base, " {");
}

/// The definition of the type of any arguments.
std::string argsAlias(const model::Resource& resource) {
  Expression type{"ReportArg<", {{resource.reportType()}}, ">"};
  for (const model::Operation* report : resource.reports())
    type.arguments.push_back({report->params->argsType()});
  return fit(0, "using " + resource.reportArgsType() + " = ", type, ";");
}

Expression callOf(const model::Resource& resource) {
  return {"callOf(", {{"const " + resource.reportType() + "& report"}}, ")"};
}

std::string callOfType(const model::Resource& resource) {
  return "ReportCall<" + resource.model->cppName + "> ";
}

Lines senders(const model::Resource& resource) {
  Lines operations;
  for (const model::Operation* operation : resource.reports())
    operations.push_back("          " + operation->cppName +
                         (operation == resource.reports().back() ? "" : ","));
  return operations;
}

}  // namespace

Data reportCheckDeclarations(const model::Resource& resource, Form form) {
  if (!resource.checksReports()) return Data{false};
  const bool async = form == Form::async;
  Data result;
  result.set("doc", commentOf(0, async ? argsTypeComment : typeComment, resource));
  if (async) {
    result.set("type", resource.reportArgsType());
    result.set("alias", argsAlias(resource));
  } else {
    result.set("head", headOf(resource));
    result.set("printer", printerDeclaration(resource.reportType()));
  }
  result.set("methods", methodDeclarations(resource, form));
  return result;
}

Data reportCheckDefinitions(const model::Resource& resource, Form form) {
  if (!resource.checksReports()) return Data{false};
  Data result;
  result.set("methods", methodDefinitions(resource, form));
  result.set("type", resource.reportType());
  if (form == Form::async) {
    result.set("argsType", resource.reportArgsType());
    return result;
  }
  result.set("callOf", fit(0, callOfType(resource), callOf(resource), " {"));
  result.set("operations", listOf(senders(resource)));
  result.set("printer",
             printerDefinition(
                 resource.reportType(),
                 "std::visit([&](const auto& report) -> std::ostream& { return out << report; }, value)"));
  return result;
}

std::string callOfDeclaration(const model::Resource& resource) {
  return fit(0, "[[nodiscard]] " + callOfType(resource), callOf(resource), ";");
}

}  // namespace tally::codegen::emit
