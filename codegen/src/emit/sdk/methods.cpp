#include "emit/sdk/methods.h"

#include <algorithm>

#include "emit/text/layout.h"

namespace tally::codegen::emit {

namespace {

/// Whether a call without parameters is pointless or invalid.
bool needsParams(const model::Operation& operation) {
  if (operation.kind == model::OperationKind::update) return true;
  const auto& fields = operation.params->fields;
  return std::any_of(fields.begin(), fields.end(), [](const model::Field& field) { return field.required; });
}

/// The words that differ between the forms.
struct Words {
  std::string result{};
  std::string pager{};
  std::string parameter{};
  std::string passed{};  // the parameters, to the function that carries out the call
  std::string options{};
  std::string call{};
  std::string callOwner{};
  std::string walk{};
  std::string owner{};     // of what the clients and the services share
  std::string passedOn{};  // it, as a client passes it to a service
  std::string ownerType{};
};

const Words blockingWords{
    .result = "Result<",
    .pager = "Pager<",
    .parameter = "params",
    .passed = "params",
    .options = "RequestOptions",
    .call = "detail::call(",
    .callOwner = "*core_",
    .walk = "detail::walkPages(",
    .owner = "core",
    .passedOn = "core_",
    .ownerType = "std::shared_ptr<const detail::ClientCore>",
};

const Words asyncWords{
    .result = "Call<",
    .pager = "AsyncPager<",
    .parameter = "args",
    .passed = "own(args)",
    .options = "CallOptions",
    .call = "detail::asyncCall(",
    .callOwner = "engine_",
    .walk = "detail::asyncPager(",
    .owner = "engine",
    .passedOn = "engine()",
    .ownerType = "std::shared_ptr<detail::AsyncEngine>",
};

const Words& wordsOf(Form form) {
  return form == Form::async ? asyncWords : blockingWords;
}

std::string paramsType(const model::Struct& params, Form form) {
  return form == Form::async ? params.argsType() : params.cppName;
}

std::string returnType(const model::Resource& resource, const model::Operation& operation, Form form) {
  const Words& words = wordsOf(form);
  return (operation.pages() ? words.pager : words.result) + resource.model->cppName + '>';
}

/// The parameters of the method, with default arguments if `defaults`.
std::vector<Expression> parameters(const model::Resource& resource, const model::Operation& operation,
                                   Form form, bool defaults) {
  const Words& words = wordsOf(form);
  std::vector<Expression> result;
  const std::string otherwise = defaults ? " = {}" : "";
  if (operation.hasId()) result.push_back({"const Id<" + resource.model->cppName + ">& id"});
  if (operation.params != nullptr)
    result.push_back({"const " + paramsType(*operation.params, form) + "& " + words.parameter +
                      (needsParams(operation) ? "" : otherwise)});
  result.push_back({"const " + words.options + "& options" + otherwise});
  return result;
}

}  // namespace

std::string serviceClass(const model::Resource& resource, Form form) {
  return form == Form::async ? resource.asyncService() : resource.service;
}

std::string declaration(const model::Resource& resource, const model::Operation& operation, Form form) {
  return fit(2, "[[nodiscard]] " + returnType(resource, operation, form) + ' ',
             {operation.method + '(', parameters(resource, operation, form, true), ")"}, " const;");
}

std::string definitionHead(const model::Resource& resource, const model::Operation& operation, Form form) {
  return fit(0, returnType(resource, operation, form) + ' ',
             {serviceClass(resource, form) + "::" + operation.method + '(',
              parameters(resource, operation, form, false), ")"},
             " const {");
}

std::string body(const model::Operation& operation, Form form) {
  const Words& words = wordsOf(form);
  Expression call{operation.pages() ? words.walk : words.call, {}, ")"};
  call.arguments.push_back({operation.pages() ? words.owner + '_' : words.callOwner});
  call.arguments.push_back({"detail::" + operation.cppName});
  if (!operation.pages()) call.arguments.push_back({operation.hasId() ? "id.str()" : "{}"});
  if (operation.params != nullptr) call.arguments.push_back({words.passed});
  call.arguments.push_back({"options"});
  return fit(2, "return ", call, ";");
}

std::string constructorOf(const model::Resource& resource, Form form) {
  const std::string& owner = wordsOf(form).owner;
  const std::string head = padded(
      2, "explicit " + serviceClass(resource, form) + '(' + wordsOf(form).ownerType + ' ' + owner + ')');
  const std::string tail = ": " + owner + "_(std::move(" + owner + ")) {}";
  return head.size() + 1 + tail.size() <= lineWidth ? head + ' ' + tail : head + '\n' + padded(6, tail);
}

std::string accessorOf(const model::Resource& resource, Form form) {
  const std::string service = serviceClass(resource, form);
  const std::string head = padded(2, "[[nodiscard]] " + service + ' ' + resource.accessor + "() const {");
  const std::string body = "return " + service + '{' + wordsOf(form).passedOn + "};";
  const std::string flat = head + ' ' + body + " }";
  return flat.size() <= lineWidth ? flat : head + '\n' + padded(4, body) + '\n' + padded(2, "}");
}

}  // namespace tally::codegen::emit
