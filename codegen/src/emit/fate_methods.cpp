#include "fate_methods.h"

#include <algorithm>
#include <string>

#include "cpp_types.h"
#include "layout.h"

namespace tally::codegen::emit {

namespace {

/// One of the methods, with an overload for each report.
struct Method {
  std::string name{};
  std::string comment{};  // {object} is the resource, {owner} the field that its states belong to
};

const Method methods[] = {
    {"fateOf",
     "Determines whether a report whose response was lost has been applied: reads the {object} and compares. "
     "Sends no report. `check` is what else the caller knows: the `{owner}` that the report is about, and "
     "the {object} before the report. It makes more cases decidable. See ReportFate. Errors have the effect "
     "`unknown`, because the outcome of the report is still unknown. Only an error about `id` or `params` "
     "has the effect `none`, because no client sends such a report."},
    {"settle",
     "The same, but sends the report again if it has not been applied and the {object} shows no other "
     "report: once, and then up to `maxNetworkRetries` more times. Reads the {object} before each send. With "
     "`check`, sends nothing while the {object} shows another `{owner}`. Without it, the report is assumed "
     "to be about the `{owner}` that is read first, even if that one began after the response was lost."},
};

void fillIn(std::string& text, const std::string& placeholder, const std::string& value) {
  for (auto at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder))
    text.replace(at, placeholder.size(), value);
}

std::string commentOf(const Method& method, const model::Resource& resource) {
  std::string object = resource.tag->name;
  std::replace(object.begin(), object.end(), '_', ' ');
  std::string text = method.comment;
  fillIn(text, "{object}", object);
  fillIn(text, "{owner}", resource.machine.of);
  return text;
}

/// One overload.
struct Overload {
  const model::Resource& resource;
  const model::Operation& report;
  const Method& method;

  [[nodiscard]] std::string returnType() const {
    return "Result<ReportFate<" + resource.model->cppName + ">>";
  }

  [[nodiscard]] std::string checkType() const {
    return "ReportCheckOptions<" + resource.model->cppName + ", " +
           cppType(resource.model->find(resource.machine.of)->type) + '>';
  }

  [[nodiscard]] Expression signature(const std::string& scope, const std::string& otherwise) const {
    return {scope + method.name + '(',
            {{"const Id<" + resource.model->cppName + ">& id"},
             {"const " + report.params->cppName + "& params"},
             {"const " + checkType() + "& check" + otherwise},
             {"const RequestOptions& options" + otherwise}},
            ")"};
  }

  [[nodiscard]] std::string declaration() const {
    return fit(2, "[[nodiscard]] " + returnType() + ' ', signature("", " = {}"), " const;");
  }

  [[nodiscard]] std::string head() const {
    return fit(0, returnType() + ' ', signature(resource.service + "::", ""), " const {");
  }

  [[nodiscard]] std::string body() const {
    return fit(2, "return ",
               {"detail::" + method.name + '(',
                {{"*core_"}, {"detail::" + report.cppName}, {"id.str()"}, {"params"}, {"check"}, {"options"}},
                ")"},
               ";");
  }
};

std::vector<Overload> overloads(const model::Resource& resource, const Method& method) {
  std::vector<Overload> result;
  if (!resource.tellsFates()) return result;
  for (const model::Operation* operation : resource.operations)
    if (operation->kind == model::OperationKind::report) result.push_back({resource, *operation, method});
  return result;
}

}  // namespace

Data fateDeclarations(const model::Resource& resource) {
  Data list{Data::type::list};
  for (const Method& method : methods) {
    Lines lines;
    for (const Overload& overload : overloads(resource, method))
      lines.push_back(overload.declaration());
    if (lines.empty()) continue;
    Data data;
    constexpr std::size_t indentAndSlashes = 6;
    data.set("doc", listOf(wrapped(indentAndSlashes, commentOf(method, resource))));
    data.set("declarations", listOf(lines));
    list << data;
  }
  return list;
}

Data fateDefinitions(const model::Resource& resource) {
  Data list{Data::type::list};
  for (const Method& method : methods) {
    for (const Overload& overload : overloads(resource, method)) {
      Data data;
      data.set("head", overload.head());
      data.set("body", overload.body());
      list << data;
    }
  }
  return list;
}

}  // namespace tally::codegen::emit
