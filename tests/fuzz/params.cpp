// Parameters that the fake reads from a form or from JSON, and the client writes, are read as the same
// parameters, whichever of the two carries them.
#include <string>

#include "form/form_writer.h"
#include "fuzz.h"
#include "json/json_writer.h"
#include "operations.h"
#include "request/form_reader.h"
#include "request/json_params.h"
#include "schema/any_object.h"

namespace tally::fuzz {

namespace {

using detail::AnyObject;
using detail::BodyEncoding;

std::string formOf(const AnyObject& params) {
  std::string form;
  detail::writeForm(form, params.ref());
  return form;
}

std::string jsonOf(const AnyObject& params) {
  std::string json;
  detail::writeJson(json, params.ref());
  return json;
}

}  // namespace

void test(std::string_view input) {
  Choices choices{input};
  const detail::AnyOperation& operation = *choices.oneOf(detail::operations);
  if (operation.params == nullptr) return;
  const bool isJson = operation.body == BodyEncoding::json;
  AnyObject read{*operation.params};
  const auto fault = isJson ? fake::detail::readJsonParams(choices.rest(), read.ref())
                            : fake::detail::readForm(choices.rest(), read.ref());
  if (fault) return require(fault->response != nullptr, "a fault has a response");
  AnyObject again{*operation.params};
  const std::string form = formOf(read);
  require(!fake::detail::readForm(form, again.ref()), "a written form is read");
  require(formOf(again) == form, "a written form is read as the same parameters");
  require(jsonOf(again) == jsonOf(read), "a written form loses nothing");
  AnyObject other{*operation.params};
  require(!fake::detail::readJsonParams(jsonOf(read), other.ref()), "written JSON is read");
  require(jsonOf(other) == jsonOf(read), "written JSON is read as the same parameters");
}

}  // namespace tally::fuzz
