#include "request/request_params.h"

#include "request/form_reader.h"
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

Fault readBody(const AnyOperation& operation, const std::string* contentType, std::string_view body,
               ObjectRef params) {
  if (body.empty()) return std::nullopt;
  if (Fault fault = checkContentType(operation.body, contentType)) return fault;
  if (operation.body == BodyEncoding::json) return readJsonParams(body, params);
  return readForm(body, params);
}

Fault readInto(const AnyOperation& operation, std::string_view query, const std::string* contentType,
               std::string_view body, ObjectRef params) {
  if (operation.body == BodyEncoding::none) {
    if (Fault fault = readForm(query, params)) return fault;
    return readForm(body, {});
  }
  if (Fault fault = readForm(query, {})) return fault;
  return readBody(operation, contentType, body, params);
}

}  // namespace

bool isForm(const std::string* contentType) {
  return contentType == nullptr || isOfType(BodyEncoding::form, *contentType);
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
