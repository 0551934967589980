#include "request/request_params.h"

#include "errors.h"
#include "request/form_reader.h"
#include "request/json_document.h"
#include "request/json_params.h"
#include "request/param_check.h"
#include "tables/utf8.h"
#include "text/ascii.h"

namespace tally::fake::detail {

using tally::detail::BodyEncoding;

namespace {

std::string_view mediaTypeOf(BodyEncoding encoding) {
  return encoding == BodyEncoding::json ? "application/json" : "application/x-www-form-urlencoded";
}

/// Strips parameters such as `; charset=utf-8`.
std::string_view mediaType(std::string_view contentType) {
  contentType = contentType.substr(0, contentType.find(';'));
  return contentType.substr(0, contentType.find_last_not_of(' ') + 1);
}

bool isOfType(BodyEncoding encoding, const std::string& contentType) {
  return tally::detail::equalIgnoringCase(mediaType(contentType), mediaTypeOf(encoding));
}

Fault checkContentType(BodyEncoding encoding, const std::string* given) {
  const std::string_view expected = mediaTypeOf(encoding);
  if (given == nullptr || isOfType(encoding, *given)) return std::nullopt;
  return unreadable("the Content-Type of the body is '" + readable(*given) + "', not " +
                    std::string{expected});
}

/// A body in JSON would be a form with a single name, which nobody recognizes in a message.
Fault refuseJson(std::string_view body, const char* expected) {
  if (!beginsLikeJsonObject(body) || JsonDocument{body}.problem()) return std::nullopt;
  return unreadable(std::string{"the body is JSON, but "} + expected);
}

Fault readBody(const AnyOperation& operation, const std::string* contentType, std::string_view body,
               ObjectRef params) {
  if (body.empty()) return std::nullopt;
  if (Fault fault = checkContentType(operation.body, contentType)) return fault;
  if (operation.body == BodyEncoding::json) return readJsonParams(body, params);
  if (Fault fault = refuseJson(body, "this operation takes a form, application/x-www-form-urlencoded"))
    return fault;
  return readForm(body, params);
}

constexpr ErrorResponse misplaced{
    .name = "parameter_unknown",
    .status = 400,
    .type = "invalid_request_error",
    .code = "parameter_unknown",
    .message = "The parameter '{param}' belongs in the {detail} of the request.",
};

/// Refuses a form with any parameter, as the operation takes them only in `place`.
Fault refuseForm(std::string_view form, const AnyOperation& operation, const char* place) {
  Fault fault = readForm(form, {});
  if (!fault || fault->response != &errors::parameterUnknown) return fault;
  const std::string_view field = std::string_view{fault->param}.substr(0, fault->param.find('['));
  if (operation.params == nullptr || operation.params->find(field) == nullptr) return fault;
  fault->response = &misplaced;
  fault->detail = place;
  return fault;
}

Fault readInto(const AnyOperation& operation, std::string_view query, const std::string* contentType,
               std::string_view body, ObjectRef params) {
  if (operation.body == BodyEncoding::none) {
    if (Fault fault = readForm(query, params)) return fault;
    if (Fault fault = refuseJson(body, "a GET takes its parameters in the query")) return fault;
    return refuseForm(body, operation, "query");
  }
  if (Fault fault = refuseForm(query, operation, "body")) return fault;
  return readBody(operation, contentType, body, params);
}

}  // namespace

bool isForm(const std::string* contentType) {
  return contentType == nullptr || isOfType(BodyEncoding::form, *contentType);
}

bool beginsLikeJsonObject(std::string_view body) {
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && body[first] == '{';
}

RequestParams readParams(const AnyOperation& operation, std::string_view query,
                         const std::string* contentType, std::string_view body) {
  RequestParams read;
  if (operation.params != nullptr) read.object = AnyObject{*operation.params};
  read.fault = readInto(operation, query, contentType, body, read.object.ref());
  if (read.fault || operation.params == nullptr) return read;
  read.fault =
      checkRead(read.object.ref(), operation.writes() ? Identifiers::checked : Identifiers::unchecked);
  return read;
}

}  // namespace tally::fake::detail
