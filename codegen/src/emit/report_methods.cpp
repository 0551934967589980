#include "report_methods.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cpp_types.h"
#include "layout.h"

namespace tally::codegen::emit {

namespace {

struct ReportMethod {
  std::string comment{};
  std::vector<Expression> parameters{};  // without the options
  Expression body{};
};

std::vector<ReportMethod> reportMethodsOf(const model::Resource& resource) {
  std::string object = resource.tag->name;
  std::ranges::replace(object, '_', ' ');
  std::vector<ReportMethod> result;
  if (resource.checksReports())
    result.push_back(
        {"Sends any report on a " + object + ": the same as the method with these parameters.",
         {{"const Id<" + resource.model->cppName + ">& id"}, {"const " + resource.reportType() + "& report"}},
         {"detail::sendReport<" + resource.model->cppName + ">(",
          {{"*core_"}, {"detail::callOf(report)"}, {"id.str()"}, {"options"}},
          ")"}});
  result.push_back(
      {"The same for a Report, which can come from a text. One that no client can send, or that is on "
       "another "
       "resource, ends in ErrorKind::invalidParameter.",
       {{"const Report& report"}},
       {"detail::sendReport<" + resource.model->cppName + ">(",
        {{"*core_"}, {"detail::" + resource.cppName}, {"report"}, {"options"}},
        ")"}});
  if (result.size() == 1)
    result.front().comment.replace(0, result.front().comment.find('.'), "Sends any report on a " + object);
  return result;
}

Expression reportSignature(const std::string& scope, const ReportMethod& method,
                           const std::string& otherwise) {
  Expression result{scope + "report(", method.parameters, ")"};
  result.arguments.push_back({"const RequestOptions& options" + otherwise});
  return result;
}

std::string reportResult(const model::Resource& resource) {
  return "Result<" + resource.model->cppName + "> ";
}

}  // namespace

Data reportMethodDeclarations(const model::Resource& resource) {
  if (resource.reports().empty()) return Data{false};
  Data list{Data::type::list};
  for (const ReportMethod& method : reportMethodsOf(resource)) {
    constexpr std::size_t indent = 2;
    constexpr std::size_t slashes = 4;
    Data data;
    data.set("doc", listOf(wrapped(indent + slashes, method.comment)));
    data.set("declaration", fit(indent, "[[nodiscard]] " + reportResult(resource),
                                reportSignature("", method, " = {}"), " const;"));
    list << data;
  }
  return list;
}

Data reportMethodDefinitions(const model::Resource& resource) {
  if (resource.reports().empty()) return Data{false};
  Data list{Data::type::list};
  for (const ReportMethod& method : reportMethodsOf(resource)) {
    Data data;
    data.set("head", fit(0, reportResult(resource), reportSignature(resource.service + "::", method, ""),
                         " const {"));
    data.set("body", fit(2, "return ", method.body, ";"));
    list << data;
  }
  return list;
}

}  // namespace tally::codegen::emit
