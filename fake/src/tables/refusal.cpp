#include "tables/refusal.h"

#include "errors.h"
#include "json/json_writer.h"
#include "tables/utf8.h"

namespace tally::fake::detail {

namespace {

std::string filling(const Refusal& refusal, std::string_view placeholder) {
  if (placeholder == "{param}") return readable(refusal.param);
  if (placeholder == "{value}") return readable(refusal.value);
  if (placeholder == "{detail}") return asUtf8(refusal.detail);
  if (placeholder == "{resource}") return refusal.words;
  return std::string{placeholder};
}

std::string message(const Refusal& refusal) {
  std::string_view pattern = refusal.response->message;
  std::string result;
  for (std::size_t open = pattern.find('{'); open != std::string_view::npos; open = pattern.find('{')) {
    const std::size_t close = pattern.find('}', open);
    if (close == std::string_view::npos) break;
    result += pattern.substr(0, open);
    result += filling(refusal, pattern.substr(open, close + 1 - open));
    pattern.remove_prefix(close + 1);
  }
  // What is filled in may end its sentence by itself.
  if (pattern == "." && result.ends_with('?')) return result;
  return result.append(pattern);
}

void writeMember(std::string& out, std::string_view name, std::string_view value) {
  if (out.back() != '{') out += ',';
  tally::detail::writeJsonString(out, name);
  out += ':';
  tally::detail::writeJsonString(out, value);
}

}  // namespace

Refusal invalid(std::string param, std::string detail) {
  return {.response = &errors::parameterInvalid, .param = std::move(param), .detail = std::move(detail)};
}

Refusal unreadable(std::string detail) {
  return {.response = &errors::bodyInvalid, .detail = std::move(detail)};
}

std::string errorBody(const Refusal& refusal) {
  std::string out = "{\"error\":{";
  writeMember(out, "type", refusal.response->type);
  writeMember(out, "code", refusal.response->code);
  writeMember(out, "message", message(refusal));
  if (!refusal.param.empty()) writeMember(out, "param", readable(refusal.param));
  out += "}}";
  return out;
}

}  // namespace tally::fake::detail
