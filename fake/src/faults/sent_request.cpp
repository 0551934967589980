#include <algorithm>
#include <ostream>
#include <string_view>

#include <tally/fake/sent_request.h>
#include <tally/fake/text_pattern.h>

#include "form/param_name.h"
#include "request/json_document.h"
#include "request/request_head.h"
#include "request/request_params.h"
#include "text/ascii.h"
#include "text/url.h"

namespace tally::fake {

namespace {

constexpr std::string_view authorizationName = "Authorization";
constexpr std::string_view mask = "****";
constexpr std::size_t shownOfKey = 4;
constexpr std::size_t leastMasked = 8;  // shorter keys are not shown at all

std::string tailOf(std::string_view secret) {
  std::string shown{mask};
  if (secret.size() >= leastMasked + shownOfKey) shown += secret.substr(secret.size() - shownOfKey);
  return shown;
}

std::string decoded(std::string_view text) {
  return tally::detail::formDecode(text).value_or(std::string{text});
}

void addParams(std::vector<SentParam>& params, std::string_view form) {
  while (!form.empty()) {
    const std::string_view pair = form.substr(0, form.find('&'));
    form.remove_prefix(std::min(pair.size() + 1, form.size()));
    const std::string_view name = pair.substr(0, pair.find('='));
    const std::string_view value = pair.substr(std::min(name.size() + 1, pair.size()));
    if (!pair.empty()) params.push_back({decoded(name), decoded(value)});
  }
}

void addJson(std::vector<SentParam>& params, const std::string& name, const detail::JsonValue& json) {
  if (json.isObject()) {
    for (const auto& [key, member] : json.members())
      addJson(params, tally::detail::paramName(name, key.string()), member);
  } else if (json.isArray()) {
    std::size_t index = 0;
    for (const detail::JsonValue& element : json.elements())
      addJson(params, tally::detail::paramName(name, std::to_string(index++)), element);
  } else if (json.isString()) {
    params.push_back({name, json.string()});
  } else {
    params.push_back({name, json.isNull() ? "" : std::string{json.text()}});
  }
}

/// Nothing if `text` is not a JSON object.
void addJsonBody(std::vector<SentParam>& params, std::string_view text) {
  if (!detail::beginsLikeJsonObject(text)) return;
  const detail::JsonDocument document{text};
  if (!document.problem()) addJson(params, {}, document.root());
}

}  // namespace

std::vector<SentParam> sentParams(const HttpRequest& request) {
  std::vector<SentParam> params;
  addParams(params, detail::targetOf(request.url).query);
  const std::string* const contentType = detail::headOf(request).contentType;
  const bool isJson =
      contentType == nullptr ? detail::beginsLikeJsonObject(request.body) : !detail::isForm(contentType);
  isJson ? addJsonBody(params, request.body) : addParams(params, request.body);
  return params;
}

std::string sentPath(const HttpRequest& request) {
  return std::string{detail::targetOf(request.url).path};
}

std::vector<std::string> sentHeaders(const HttpRequest& request, std::string_view name) {
  std::vector<std::string> values;
  for (const Header& header : request.headers)
    if (tally::detail::equalIgnoringCase(header.name, name)) values.push_back(header.value);
  return values;
}

std::string shownHeader(std::string_view name, std::string_view value) {
  if (!tally::detail::equalIgnoringCase(name, authorizationName)) return std::string{value};
  const auto key = detail::keyOf(value);
  if (!key) return std::string{mask};
  return std::string{value.substr(0, value.find(' '))} + ' ' + tailOf(*key);
}

std::ostream& operator<<(std::ostream& out, const SentParam& value) {
  return out << NamedPattern{value.name, value.value};
}

}  // namespace tally::fake
