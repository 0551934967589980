#include "emit/sdk/report_methods.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emit/sdk/cpp_types.h"
#include "emit/text/layout.h"

namespace tally::codegen::emit {

namespace {

struct ReportMethod {
  std::string comment{};
  std::vector<Expression> parameters{};  // without the options
  std::vector<Expression> arguments{};   // of the function that sends it, without the options
};

std::string objectOf(const model::Resource& resource) {
  std::string object = resource.tag->name;
  std::ranges::replace(object, '_', ' ');
  return object;
}

ReportMethod byParameters(const model::Resource& resource, Form form) {
  const bool async = form == Form::async;
  const std::string comment = "Sends any report on a " + objectOf(resource);
  return {async ? comment + ". See " + resource.service + "::report()."
                : comment + ": the same as the method with these parameters.",
          {{"const Id<" + resource.model->cppName + ">& id"},
           {"const " + (async ? resource.reportArgsType() : resource.reportType()) + "& report"}},
          {{async ? "detail::callOf(own(report))" : "detail::callOf(report)"}, {"id.str()"}}};
}

ReportMethod ofReport(const model::Resource& resource, Form form) {
  const bool async = form == Form::async;
  std::string comment = async
                            ? "The same for a Report, which must have a name: g++ 12 destroys a temporary in "
                              "a `co_await` twice."
                            : "The same for a Report, which can come from a text. One that no client can "
                              "send, or that is on another resource, ends in ErrorKind::invalidParameter.";
  if (!resource.checksReports())
    comment.replace(0, std::string_view{"The same"}.size(), "Sends any report on a " + objectOf(resource));
  return {std::move(comment), {{"const Report& report"}}, {{"detail::" + resource.cppName}, {"report"}}};
}

std::vector<ReportMethod> reportMethodsOf(const model::Resource& resource, Form form) {
  std::vector<ReportMethod> result;
  if (resource.checksReports()) result.push_back(byParameters(resource, form));
  result.push_back(ofReport(resource, form));
  return result;
}

Expression reportSignature(const std::string& scope, const ReportMethod& method, Form form,
                           const std::string& otherwise) {
  Expression result{scope + "report(", method.parameters, ")"};
  const std::string type = form == Form::async ? "CallOptions" : "RequestOptions";
  result.arguments.push_back({"const " + type + "& options" + otherwise});
  return result;
}

std::string reportResult(const model::Resource& resource, Form form) {
  return (form == Form::async ? "Call<" : "Result<") + resource.model->cppName + "> ";
}

std::string bodyOf(const model::Resource& resource, const ReportMethod& method, Form form) {
  const bool async = form == Form::async;
  Expression call{
      (async ? "detail::asyncSendReport<" : "detail::sendReport<") + resource.model->cppName + ">(",
      {{async ? "engine_" : "*core_"}},
      ")"};
  call.arguments.insert(call.arguments.end(), method.arguments.begin(), method.arguments.end());
  call.arguments.push_back({"options"});
  return fit(2, "return ", call, ";");
}

}  // namespace

Data reportMethodDeclarations(const model::Resource& resource, Form form) {
  if (resource.reports().empty()) return Data{false};
  Data list{Data::type::list};
  for (const ReportMethod& method : reportMethodsOf(resource, form)) {
    constexpr std::size_t indent = 2;
    constexpr std::size_t slashes = 4;
    Data data;
    data.set("doc", listOf(wrapped(indent + slashes, method.comment)));
    data.set("declaration", fit(indent, "[[nodiscard]] " + reportResult(resource, form),
                                reportSignature("", method, form, " = {}"), " const;"));
    if (form == Form::async && method.parameters.size() == 1)
      data.set("named", padded(indent, reportResult(resource, form) +
                                           "report(const Report&& report, const CallOptions& options = {}) "
                                           "const = delete;"));
    list << data;
  }
  return list;
}

Data reportMethodDefinitions(const model::Resource& resource, Form form) {
  if (resource.reports().empty()) return Data{false};
  Data list{Data::type::list};
  for (const ReportMethod& method : reportMethodsOf(resource, form)) {
    Data data;
    const std::string scope = serviceClass(resource, form) + "::";
    data.set("head",
             fit(0, reportResult(resource, form), reportSignature(scope, method, form, ""), " const {"));
    data.set("body", bodyOf(resource, method, form));
    list << data;
  }
  return list;
}

}  // namespace tally::codegen::emit
