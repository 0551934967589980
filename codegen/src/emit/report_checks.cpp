#include "report_checks.h"

#include <algorithm>
#include <string>

#include "../model/names.h"
#include "cpp_types.h"
#include "layout.h"
#include "printers.h"

namespace tally::codegen::emit {

namespace {

// In the comments, {object} is the resource, and {owner} the field that its states belong to.

const std::string typeComment =
    "Any report on a {object}: the parameters of the method that sends it, which convert to this type "
    "implicitly.";

struct Method {
  std::string name{};
  std::string comment{};
};

const Method methods[] = {
    {"checkReport",
     "Determines whether a report whose response was lost has been applied: reads the {object} and compares. "
     "Sends no report. `known` is what else the caller knows: the `{owner}` that the report is about, and "
     "the {object} before the report. It makes more cases decidable. See ReportCheck. Errors have the effect "
     "`unknown`, because the outcome of the report is still unknown. Only an error about `id` or `report` "
     "has the effect `none`, because no client sends such a report."},
    {"resolveReport",
     "The same, but sends the report again if it has not been applied and the {object} shows no other "
     "report: once, and then up to `maxNetworkRetries` more times. Reads the {object} before each send. With "
     "`known`, sends nothing while the {object} shows another `{owner}`. Without it, the report is assumed "
     "to be about the `{owner}` that is read first, even if that one began after the response was lost."},
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
  constexpr std::size_t slashes = 4;
  return listOf(wrapped(indent + slashes, text));
}

std::string returnType(const model::Resource& resource) {
  return "Result<ReportCheck<" + resource.model->cppName + ">>";
}

Expression signature(const model::Resource& resource, const std::string& name, const std::string& otherwise) {
  const std::string known = "ReportCheckOptions<" + resource.model->cppName + ", " +
                            cppType(resource.model->find(resource.machine.of)->type) + '>';
  return {name + '(',
          {{"const Id<" + resource.model->cppName + ">& id"},
           {"const " + resource.reportType() + "& report"},
           {"const " + known + "& known" + otherwise},
           {"const RequestOptions& options" + otherwise}},
          ")"};
}

std::string bodyOf(const Method& method) {
  return fit(2, "return ",
             {"detail::" + method.name + '(',
              {{"*core_"}, {"callOf(report)"}, {"id.str()"}, {"known"}, {"options"}},
              ")"},
             ";");
}

std::string headOf(const model::Resource& resource) {
  Expression base{"std::variant<", {}, ">"};
  for (const model::Operation* report : resource.reports())
    base.arguments.push_back({report->params->cppName});
  return fit(0, "struct " + resource.reportType() + " : ", base, " {");
}

}  // namespace

Data reportCheckDeclarations(const model::Resource& resource) {
  if (!resource.checksReports()) return Data{false};
  Data list{Data::type::list};
  for (const Method& method : methods) {
    Data data;
    data.set("doc", commentOf(2, method.comment, resource));
    data.set("declaration", fit(2, "[[nodiscard]] " + returnType(resource) + ' ',
                                signature(resource, method.name, " = {}"), " const;"));
    list << data;
  }
  Data result;
  result.set("doc", commentOf(0, typeComment, resource));
  result.set("head", headOf(resource));
  result.set("printer", printerDeclaration(resource.reportType()));
  result.set("methods", list);
  return result;
}

Data reportCheckDefinitions(const model::Resource& resource) {
  if (!resource.checksReports()) return Data{false};
  Lines operations;
  for (const model::Operation* report : resource.reports())
    operations.push_back("          detail::" + report->cppName +
                         (report == resource.reports().back() ? "" : ","));
  Data list{Data::type::list};
  for (const Method& method : methods) {
    Data data;
    data.set("head", fit(0, returnType(resource) + ' ',
                         signature(resource, resource.service + "::" + method.name, ""), " const {"));
    data.set("body", bodyOf(method));
    list << data;
  }
  Data result;
  result.set("type", resource.reportType());
  result.set("operations", listOf(operations));
  result.set("methods", list);
  result.set("printer",
             printerDefinition(
                 resource.reportType(),
                 "std::visit([&](const auto& report) -> std::ostream& { return out << report; }, value)"));
  return result;
}

}  // namespace tally::codegen::emit
