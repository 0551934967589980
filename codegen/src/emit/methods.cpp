#include "methods.h"

#include <algorithm>

#include "layout.h"

namespace tally::codegen::emit {

namespace {

/// Whether a call without parameters is pointless or invalid.
bool needsParams(const model::Operation& operation) {
  if (operation.kind == model::OperationKind::update) return true;
  const auto& fields = operation.params->fields;
  return std::any_of(fields.begin(), fields.end(), [](const model::Field& field) { return field.required; });
}

std::string returnType(const model::Resource& resource, const model::Operation& operation) {
  return (operation.pages() ? "Pager<" : "Result<") + resource.model->cppName + '>';
}

/// The parameters of the method, with default arguments if `defaults`.
std::vector<Expression> parameters(const model::Resource& resource, const model::Operation& operation,
                                   bool defaults) {
  std::vector<Expression> result;
  const std::string otherwise = defaults ? " = {}" : "";
  if (operation.hasId()) result.push_back({"const Id<" + resource.model->cppName + ">& id"});
  if (operation.params != nullptr)
    result.push_back(
        {"const " + operation.params->cppName + "& params" + (needsParams(operation) ? "" : otherwise)});
  result.push_back({"const RequestOptions& options" + otherwise});
  return result;
}

std::string padded(std::size_t indent, const std::string& text) {
  return std::string(indent, ' ') + text;
}

}  // namespace

std::string declaration(const model::Resource& resource, const model::Operation& operation) {
  return fit(2, "[[nodiscard]] " + returnType(resource, operation) + ' ',
             {operation.method + '(', parameters(resource, operation, true), ")"}, " const;");
}

std::string definitionHead(const model::Resource& resource, const model::Operation& operation) {
  return fit(0, returnType(resource, operation) + ' ',
             {resource.service + "::" + operation.method + '(', parameters(resource, operation, false), ")"},
             " const {");
}

std::string body(const model::Operation& operation) {
  Expression call{operation.pages() ? "detail::walkPages(" : "detail::call(", {}, ")"};
  call.arguments.push_back({operation.pages() ? "core_" : "*core_"});
  call.arguments.push_back({"detail::" + operation.cppName});
  if (!operation.pages()) call.arguments.push_back({operation.hasId() ? "id.str()" : "{}"});
  if (operation.params != nullptr) call.arguments.push_back({"params"});
  call.arguments.push_back({"options"});
  return fit(2, "return ", call, ";");
}

std::string constructorOf(const model::Resource& resource) {
  const std::string head =
      padded(2, "explicit " + resource.service + "(std::shared_ptr<const detail::ClientCore> core)");
  const std::string tail = ": core_(std::move(core)) {}";
  return head.size() + 1 + tail.size() <= lineWidth ? head + ' ' + tail : head + '\n' + padded(6, tail);
}

std::string accessorOf(const model::Resource& resource) {
  const std::string head =
      padded(2, "[[nodiscard]] " + resource.service + ' ' + resource.accessor + "() const {");
  const std::string body = "return " + resource.service + "{core_};";
  const std::string flat = head + ' ' + body + " }";
  return flat.size() <= lineWidth ? flat : head + '\n' + padded(4, body) + '\n' + padded(2, "}");
}

}  // namespace tally::codegen::emit
