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
  std::string comment{};  // {object} stands for the resource, {owner} for the field that its states belong to
};

const Method methods[] = {
    {"fateOf",
     "Finds out what became of a report whose response was lost: reads the {object} and compares. Sends no "
     "report. `check` is what is known besides: which `{owner}` the report is about, and the {object} as it "
     "was. With it, more can be told. See ReportFate. An error has the effect `unknown`, for nobody knows "
     "more "
     "than before; but a fault in `id` or `params` has none: no client sends such a report."},
    {"settle",
     "The same, and sends the report again where it was not applied and nobody else has reported: once, and "
     "then up to `maxNetworkRetries` times. Reads the {object} before each time. With `check`, nothing is "
     "sent "
     "while the `{owner}` is another one. Without it, the report is taken to be about the one that is read "
     "first: if a newer one has begun since the report was lost, that one is reported on."},
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
    return fit(
        2, "return ",
        {"detail::" + method.name + '<' + resource.model->cppName + ">(",
         {{"*core_"}, {"detail::" + report.cppName}, {"id.str()"}, {"&params"}, {"check"}, {"options"}},
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
