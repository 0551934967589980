#include "fate_methods.h"

#include <algorithm>
#include <string>

#include "layout.h"

namespace tally::codegen::emit {

namespace {

/// One of the methods, with an overload for each report and for what the caller knows of the object.
struct Method {
  std::string name{};
  std::string comment{};  // {object} stands for the resource
};

const Method methods[] = {
    {"fateOf",
     "Finds out what became of a report whose answer was lost: reads the {object} and compares. Sends no "
     "report. `before` is the {object} as it was before the report was first sent; with it, more can be "
     "told. See ReportFate. An error has the effect `unknown`, for nobody knows more than before; but a "
     "fault "
     "in the parameters has none."},
    {"settle",
     "The same, and sends the report again where it was not applied and nobody else has reported: once, and "
     "then up to `maxNetworkRetries` times. Reads the {object} before each time."},
};

std::string commentOf(const Method& method, const model::Resource& resource) {
  const std::string placeholder = "{object}";
  std::string object = resource.tag->name;
  std::replace(object.begin(), object.end(), '_', ' ');
  std::string text = method.comment;
  for (auto at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder))
    text.replace(at, placeholder.size(), object);
  return text;
}

/// One overload: `before` is for callers who know the object as it was.
struct Overload {
  const model::Resource& resource;
  const model::Operation& report;
  const Method& method;
  bool before = false;

  [[nodiscard]] std::string returnType() const {
    return "Result<ReportFate<" + resource.model->cppName + ">>";
  }

  [[nodiscard]] Expression signature(const std::string& scope, const std::string& otherwise) const {
    const std::string& model = resource.model->cppName;
    return {scope + method.name + '(',
            {{before ? "const " + model + "& before" : "const Id<" + model + ">& id"},
             {"const " + report.params->cppName + "& params"},
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
               {"detail::" + method.name + '<' + resource.model->cppName + ">(",
                {{"*core_"},
                 {"detail::" + report.cppName},
                 {before ? "before.id.str()" : "id.str()"},
                 {"&params"},
                 {before ? "&before" : "nullptr"},
                 {"options"}},
                ")"},
               ";");
  }
};

std::vector<Overload> overloads(const model::Resource& resource, const Method& method) {
  std::vector<Overload> result;
  if (!resource.tellsFates()) return result;
  for (const model::Operation* operation : resource.operations) {
    if (operation->kind != model::OperationKind::report) continue;
    for (const bool before : {false, true})
      result.push_back({resource, *operation, method, before});
  }
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
